package deps

import (
	"go/ast"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// promising are the packages with a page of promises beside the code.
var promising = []string{"dedup", "hints", "mirror", "mirror/mcs", "slicer"}

var (
	quoted      = regexp.MustCompile("`([^`]+)`")
	promiseHead = regexp.MustCompile(`(?m)^## ([A-Z]\d+):? `)
)

// TestPromises checks each page of promises: every promise names a test that checks it and a
// function that implements it, every row of the table of deviations names a test that shows it, and
// all of these exist.
func TestPromises(t *testing.T) {
	tests := slices.Concat(functionsIn(t, "."), scenariosBelow(t))
	for _, dir := range promising {
		name := dir + "/PROMISES.md"
		page, functions := read(t, name), declaredIn(t, dir)
		check := func(where, kind, line string, known []string) {
			names := quoted.FindAllStringSubmatch(line, -1)
			if len(names) == 0 {
				t.Errorf("%s: %s: no %s", name, where, kind)
			}
			for _, named := range names {
				if !slices.Contains(known, named[1]) {
					t.Errorf("%s: %s: there is no %s %s", name, where, kind, named[1])
				}
			}
		}
		heads := promiseHead.FindAllStringSubmatchIndex(page, -1)
		for i, head := range heads {
			end := len(page)
			if i+1 < len(heads) {
				end = heads[i+1][0]
			}
			section, where := page[head[0]:end], page[head[2]:head[3]]
			check(where, "test", lineAfter(section, "\n- Checked by: "), tests)
			check(where, "function", lineAfter(section, "\n- Implemented by: "), functions)
		}
		if len(heads) == 0 {
			t.Errorf("%s: no promise", name)
		}
		_, table, _ := strings.Cut(page, "| Shown by |\n")
		for row := range strings.Lines(table) {
			if cells := strings.Split(strings.Trim(row, "|\n "), "|"); strings.HasPrefix(row, "| ") &&
				!strings.HasPrefix(row, "| ---") {
				check("deviation "+strings.TrimSpace(cells[0]), "test", cells[len(cells)-1], tests)
			}
		}
	}
}

func lineAfter(text, start string) string {
	_, rest, _ := strings.Cut(text, start)
	line, _, _ := strings.Cut(rest, "\n")
	return line
}

// scenariosBelow lists the tests of the scenarios below testdata.
func scenariosBelow(t *testing.T) (names []string) {
	t.Helper()
	for _, file := range below(t, "testdata/*/*.txt") {
		for _, heading := range regexp.MustCompile(`(?m)^== ([a-z0-9-]+):`).FindAllStringSubmatch(read(t, file), -1) {
			names = append(names, "TestScenarios/"+heading[1])
		}
	}
	return names
}

// declaredIn lists the functions and methods of a package and of those below it: Assign,
// survey.decide, and with their package's name, allocate.Deal.
func declaredIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	for _, folder := range closure(t, production(t)) {
		if folder != dir && !strings.HasPrefix(folder, dir+"/") && !strings.HasPrefix(folder, "internal/") {
			continue
		}
		for _, file := range sources(t, folder) {
			for _, decl := range parsed(t, file).Decls {
				function, ok := decl.(*ast.FuncDecl)
				if !ok {
					continue
				}
				name := function.Name.Name
				if function.Recv != nil {
					name = receiverName(function.Recv.List[0].Type) + "." + name
				}
				names = append(names, filepath.Base(folder)+"."+name)
				if folder == dir {
					names = append(names, name)
				}
			}
		}
	}
	return names
}
