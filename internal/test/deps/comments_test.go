package deps

import (
	"go/ast"
	"go/doc"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/internal/test/nightly"
)

var testNamed = regexp.MustCompile(`\b(?:Test|Fuzz|Example)[A-Z][A-Za-z0-9_]*`)

// TestPackageCommentsNameTests checks that each test that a package comment names is in that
// package.
func TestPackageCommentsNameTests(t *testing.T) {
	for _, dir := range production(t) {
		known := functionsIn(t, dir)
		for _, name := range testNamed.FindAllString(packageComment(t, dir), -1) {
			if !slices.Contains(known, name) {
				t.Errorf("%s: there is no %s", dir, name)
			}
		}
	}
}

func packageComment(t *testing.T, dir string) (text string) {
	t.Helper()
	for _, file := range sources(t, dir) {
		text += parsed(t, file).Doc.Text()
	}
	return text
}

// TestWhatToCall checks that each function and method that a package comment lists under "What to
// call" has an example of its own, and that every example has an output that is checked, and at
// most 30 lines unless it is a program with functions of its own.
func TestWhatToCall(t *testing.T) {
	nightly.Slow(t)
	for _, dir := range production(t) {
		var examples []string
		for _, file := range below(t, dir+"/*_test.go") {
			for _, example := range doc.Examples(parsed(t, filepath.Join(root, file))) {
				examples = append(examples, example.Name)
				n := files.Position(example.Code.End()).Line - files.Position(example.Code.Pos()).Line - 1
				if _, program := example.Code.(*ast.File); n > 30 && !program {
					t.Errorf("%s: Example%s has %d lines", dir, example.Name, n)
				}
				if example.Output == "" && !example.EmptyOutput {
					t.Errorf("%s: Example%s is compiled and not run: it has no output", dir, example.Name)
				}
			}
		}
		_, section, _ := strings.Cut(packageComment(t, dir), "\n# What to call\n")
		section, _, _ = strings.Cut(section, "\n# ")
		for _, name := range regexp.MustCompile(`(?:^|[^\w.])([A-Z]\w*(?:\.[A-Z]\w*)?)`).FindAllStringSubmatch(section,
			-1) {
			example := strings.ReplaceAll(name[1], ".", "_")
			named := func(other string) bool { return other == example || strings.HasPrefix(other, example+"_") }
			if slices.Contains(declaredIn(t, dir), name[1]) && !slices.ContainsFunc(examples, named) {
				t.Errorf("%s: there is no Example%s", dir, example)
			}
		}
	}
}

// TestPackageLoops checks that the code of a package comment is that of an example, which is
// compiled and run.
func TestPackageLoops(t *testing.T) {
	for _, dir := range []string{"slicer", "slicer/services", "slicer/publish", "slicer/slicertest", "hints/routing",
		"hints/forecast", "mirror", "dedup"} {
		file := dir + "/example_loop_test.go"
		if dir == "slicer/slicertest" {
			file = "internal/test/conformance/kit_loop_test.go" // the code uses client-go
		}
		code := firstCode(read(t, dir+"/doc.go"))
		if code == "" {
			t.Errorf("%s/doc.go has no code", dir)
		}
		if !strings.Contains(unindented(read(t, file)), code) {
			t.Errorf("%s does not have the code of %s/doc.go:\n%s", file, dir, code)
		}
	}
}

// TestMigrationPrograms checks that the programs of MIGRATING.md are those that a test runs.
func TestMigrationPrograms(t *testing.T) {
	programs := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(read(t, "slicer/services/MIGRATING.md"),
		-1)
	if len(programs) == 0 {
		t.Error("MIGRATING.md has no program")
	}
	for _, program := range programs {
		if !strings.Contains(read(t, "slicer/services/printed_test.go"), program[1]) {
			t.Errorf("slicer/services/printed_test.go does not have this program of MIGRATING.md:\n%s", program[1])
		}
	}
}

// firstCode is the first indented block of a comment that calls something, without indentation and
// alignment: others are tables.
func firstCode(comment string) string {
	var code []string
	for line := range strings.Lines(comment) {
		text, indented := strings.CutPrefix(line, "//\t")
		if indented {
			code = append(code, text)
		} else if strings.Contains(strings.Join(code, ""), "(") {
			break
		} else {
			code = nil
		}
	}
	return unindented(strings.Join(code, ""))
}

func unindented(code string) string {
	var lines []string
	for line := range strings.Lines(code) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return strings.Join(lines, "\n")
}
