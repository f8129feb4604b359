// Package mutants holds the tests to account: each mutant is a small change that breaks a guarantee, and names a test
// that must fail for it. A guarantee without a mutant is a guarantee that nobody knows to be tested.
//
// The mutants are in testdata/mutants, one file for each package:
//
//	== G5 newest-copy-loses
//	why:  of several copies the oldest becomes the home
//	file: slicer/existing.go
//	test: ./slicer TestScenarios/doubled-endpoint
//	--- old
//		return cmp.Or(-endpoint.CompareVersions(
//	+++ new
//		return cmp.Or(endpoint.CompareVersions(
//
// The old text must be in the file exactly once; a newline at its end does not count. SLICEWRIGHT_MUTANTS=1 go test
// ./internal/test/mutants runs them all, which compiles the tests once for each; without it only the manifest is checked.
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
	File      string // from the module's root
	Package   string // of the test, as go test takes it
	Test      string // as -run takes it, subtests included
	Old, New  string
}

// Load reads the manifests below a directory, in the order of their names.
func Load(dir string) ([]Mutant, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	var all []Mutant
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		list, err := parse(filepath.Base(path), string(text))
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

func parse(name, text string) ([]Mutant, error) {
	var list []Mutant
	var m *Mutant
	var body *string // where lines go: Old, New, or nil in the head
	for n, line := range strings.Split(text, "\n") {
		at := fmt.Sprintf("%s:%d", name, n+1)
		if head, ok := strings.CutPrefix(line, "== "); ok {
			words := strings.Fields(head)
			if len(words) != 2 {
				return nil, fmt.Errorf("%s: want == guarantee name", at)
			}
			list = append(list, Mutant{At: at, Guarantee: words[0], Name: words[1]})
			m, body = &list[len(list)-1], nil
			continue
		}
		switch {
		case m == nil: // the manifest's own heading
		case line == "--- old":
			body = &m.Old
		case line == "+++ new":
			body = &m.New
		case body != nil:
			*body += line + "\n"
		default:
			if err := m.set(line); err != nil {
				return nil, fmt.Errorf("%s: %w", at, err)
			}
		}
	}
	for i := range list {
		list[i].Old, list[i].New = strings.TrimRight(list[i].Old, "\n"), strings.TrimRight(list[i].New, "\n")
	}
	return list, nil
}

func (m *Mutant) set(line string) error {
	key, value, _ := strings.Cut(line, ":")
	value = strings.TrimSpace(value)
	switch key {
	case "":
	case "why":
		m.Why = value
	case "file":
		m.File = value
	case "test":
		m.Package, m.Test, _ = strings.Cut(value, " ")
	default:
		return fmt.Errorf("unknown line %q", line)
	}
	return nil
}

// Apply returns the file with the change made. root is the module's root.
func (m *Mutant) Apply(root string) ([]byte, error) {
	if m.Why == "" || m.File == "" || m.Package == "" || m.Test == "" || m.Old == "" {
		return nil, fmt.Errorf("%s: a mutant has why, file, test and old text", m.At)
	}
	text, err := os.ReadFile(filepath.Join(root, m.File))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.At, err)
	}
	if n := strings.Count(string(text), m.Old); n != 1 {
		return nil, fmt.Errorf("%s: the old text is %d times in %s, want once:\n%s", m.At, n, m.File, m.Old)
	}
	return []byte(strings.Replace(string(text), m.Old, m.New, 1)), nil
}
