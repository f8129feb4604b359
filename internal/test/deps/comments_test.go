package deps

import (
	"path/filepath"
	"regexp"
	"slices"
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
			if scenario := match[2]; scenario != "" {
				files, err := filepath.Glob(filepath.Join(root, "testdata", "*", scenario+".txt"))
				if err != nil || len(files) == 0 {
					t.Errorf("%s: there is no scenario %s (%v)", dir, match[0], err)
				}
			}
		}
	}
	if named == 0 {
		t.Error("no package comment names a test")
	}
}
