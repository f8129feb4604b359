// Package mutants holds the tests to account where a general mutation tool does not reach: each mutant is a small change that
// breaks a guarantee, and names a test that must fail for it.
//
// The mutants are in testdata/mutants:
//
//	== G5 oldest-copy-wins: of several copies the oldest is taken for the home
//	in:   slicer sets.newestFirst
//	test: ./slicer TestScenarios/doubled-endpoint
//	- -endpoint.CompareVersions(a, b)
//	+ endpoint.CompareVersions(a, b)
//
// The line in: names a directory and a top-level declaration in one of its packages, or of those below it; a method is
// Type.method. The lines with - are an expression or statements, and those with + what takes their place. They are compared
// by syntax: space and line breaks do not count, a local variable stands for any local variable, and _, _a, _b and so on for any
// expression. So a mutant outlives a renamed variable and a function that moves. What is taken out must be in the declaration
// exactly once.
//
// SLICEWRIGHT_MUTANTS=1 go test ./internal/test/mutants runs them all, which compiles the tests once for each; without it
// only the manifest is checked.
package mutants

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Mutant is one change and the test that must notice.
type Mutant struct {
	At        string // file and line in the manifest
	Guarantee string // G1 and so on
	Name      string
	Why       string // what the change breaks
	Dir       string // from the module's root
	Decl      string // function, Type.method, constant, variable or type
	Package   string // of the test, as go test takes it
	Test      string // as -run takes it, subtests included
	Old, New  string
}

// Load reads the manifests below a directory, in the order of their names.
func Load(dir string) ([]*Mutant, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	var all []*Mutant
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		list, err := parse(path, string(text))
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

func parse(path, text string) ([]*Mutant, error) {
	var list []*Mutant
	m := new(Mutant)
	for n, line := range strings.Split(text, "\n") {
		at := fmt.Sprintf("%s:%d", path, n+1)
		key, rest, _ := strings.Cut(line, " ")
		rest = strings.TrimLeft(rest, " ")
		switch key {
		case "", "#":
		case "==":
			name, why, _ := strings.Cut(rest, ": ")
			m = &Mutant{At: at, Why: why}
			m.Guarantee, m.Name, _ = strings.Cut(name, " ")
			list = append(list, m)
		case "in:":
			m.Dir, m.Decl, _ = strings.Cut(rest, " ")
		case "test:":
			m.Package, m.Test, _ = strings.Cut(rest, " ")
		case "-":
			m.Old += line[2:] + "\n"
		case "+":
			m.New += line[2:] + "\n"
		default:
			return nil, fmt.Errorf("%s: a line begins with ==, in:, test:, -, + or #, not with %q", at, key)
		}
	}
	for _, m := range list {
		if m.Name == "" || m.Why == "" || m.Decl == "" || m.Test == "" || m.Old == "" {
			return nil, fmt.Errorf("%s: a mutant has a guarantee, a name, what it breaks, in:, test: and lines with -", m.At)
		}
	}
	return list, nil
}
