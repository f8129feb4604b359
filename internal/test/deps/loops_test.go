package deps

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPackageLoops checks that the code of a package comment is that of an example, which is compiled and run.
func TestPackageLoops(t *testing.T) {
	for _, dir := range []string{"slicer", "slicer/service", "slicer/slicertest", "mirror", "dedup"} {
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
