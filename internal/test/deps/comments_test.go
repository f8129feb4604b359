package deps

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var testNamed = regexp.MustCompile(`\b((?:Test|Fuzz|Example)[A-Z][A-Za-z0-9_]*)((?:/[a-z0-9-]+)?)`)

// TestPackageCommentsNameTests checks that each test that a package comment names is in that package, and each scenario
// below testdata.
func TestPackageCommentsNameTests(t *testing.T) {
	named := 0
	for _, dir := range production(t) {
		known, comment := functionsIn(t, dir), ""
		for _, file := range sources(t, dir) {
			comment += parsed(t, file).Doc.Text()
		}
		for _, match := range testNamed.FindAllStringSubmatch(comment, -1) {
			named++
			if !slices.Contains(known, match[1]) {
				t.Errorf("%s: there is no %s", dir, match[1])
			}
			if match[2] != "" && !slices.Contains(scenariosBelow(t), "TestScenarios"+match[2]) {
				t.Errorf("%s: there is no scenario %s", dir, match[0])
			}
		}
	}
	if named == 0 {
		t.Error("no package comment names a test")
	}
}

// TestPackageLoops checks that the code of a package comment is that of an example, which is compiled and run.
func TestPackageLoops(t *testing.T) {
	for _, dir := range []string{"slicer", "slicer/service", "slicer/slicertest", "hints", "mirror", "dedup"} {
		comment, err := os.ReadFile(filepath.Join(root, dir, "doc.go"))
		if err != nil {
			t.Fatal(err)
		}
		file := dir + "/example_loop_test.go"
		if dir == "slicer/slicertest" {
			file = "internal/test/conformance/kit_loop_test.go" // the code uses client-go
		}
		example, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		code := firstCode(string(comment))
		if code == "" {
			t.Errorf("%s/doc.go has no code", dir)
		}
		if !strings.Contains(unindented(string(example)), code) {
			t.Errorf("%s does not have the code of %s/doc.go:\n%s", file, dir, code)
		}
	}
}

// firstCode is the first indented block of a comment that calls something, without indentation and alignment: others are
// tables.
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
