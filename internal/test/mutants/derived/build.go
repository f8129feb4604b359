package derived

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Binary is a test binary that holds mutants of a package.
type Binary struct {
	Path, Dir  string
	Mutants    []Mutant
	Refused    []Mutant // those that do not compile
	Properties bool     // the tests draw cases with pgregory.net/rapid
}

// Build compiles the mutants and the package's tests into scratch. The tree is not touched. It leaves out mutants that
// do not compile, such as the dropped statement that alone sets a variable.
func (p *Package) Build(scratch string, mutants []Mutant) (*Binary, error) {
	properties, err := p.testsImport("pgregory.net/rapid")
	if err != nil {
		return nil, err
	}
	b := &Binary{
		Path: filepath.Join(scratch, "mutants.test"), Dir: p.Dir, Mutants: slices.Clone(mutants), Properties: properties,
	}
	const most = 20 // the compiler stops after ten errors
	for range most {
		overlay, err := p.overlay(scratch, b.Mutants)
		if err != nil {
			return nil, err
		}
		cmd := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", b.Path, ".")
		cmd.Dir = p.Dir
		out, err := cmd.CombinedOutput()
		if err == nil {
			return b, nil
		}
		before := len(b.Mutants)
		b.refuse(string(out))
		if len(b.Mutants) == before {
			return nil, fmt.Errorf("the changed package does not compile: %w\n%s", err, out)
		}
	}
	return nil, errors.New("the changed package does not compile, whatever is left out")
}

// errorLine is a complaint of the compiler about a changed file. Changes keep the lines.
var errorLine = regexp.MustCompile(`(?m)^\S*?([^/\s]+\.go):(\d+):(?:\d+:)? (?:declared|missing|cannot|invalid|undefined|\S)`)

// refuse sets the mutants aside on whose lines the compiler found fault.
func (b *Binary) refuse(output string) {
	for _, match := range errorLine.FindAllStringSubmatch(output, -1) {
		line, err := strconv.Atoi(match[2])
		if err != nil {
			continue
		}
		b.Mutants = slices.DeleteFunc(b.Mutants, func(m Mutant) bool {
			bad := m.File == match[1] && m.Line <= line && line <= m.Line+m.lines
			if bad {
				b.Refused = append(b.Refused, m)
			}
			return bad
		})
	}
}

// overlay writes the changed files and the JSON that tells the compiler to take them.
func (p *Package) overlay(scratch string, mutants []Mutant) (string, error) {
	replace := map[string]string{}
	add := func(original string, text []byte) error {
		changed := filepath.Join(scratch, filepath.Base(original))
		replace[original] = changed
		return os.WriteFile(changed, text, 0o644)
	}
	for _, f := range p.files {
		name := filepath.Base(f.path)
		if err := add(f.path, apply(f.text, slices.DeleteFunc(slices.Clone(mutants), func(m Mutant) bool { return m.File != name }))); err != nil {
			return "", err
		}
	}
	if err := add(filepath.Join(p.Dir, helpersName), helpers(p.types.Name())); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	list := filepath.Join(scratch, "overlay.json")
	return list, os.WriteFile(list, text, 0o644)
}

// testsImport says whether the package's tests import a package, directly or not.
func (p *Package) testsImport(path string) (bool, error) {
	cmd := exec.Command("go", "list", "-deps", "-test", ".")
	cmd.Dir = p.Dir
	out, err := cmd.Output()
	return slices.Contains(strings.Fields(string(out)), path), err
}
