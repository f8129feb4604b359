package deps

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// packageComment returns the comment of the package in a directory.
func packageComment(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		text += parsed.Doc.Text()
	}
	return text
}

var testNamed = regexp.MustCompile(`\b((?:Test|Fuzz|Example)[A-Z][A-Za-z0-9_]*)((?:/[a-z0-9-]+)?)`)

// TestPackageCommentsNameTests checks that each test that a package comment names is in that package, and each scenario
// below testdata.
func TestPackageCommentsNameTests(t *testing.T) {
	named := 0
	for _, dir := range production(t) {
		known := functionsIn(t, dir)
		for _, match := range testNamed.FindAllStringSubmatch(packageComment(t, dir), -1) {
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

// TestPackageCommentsHaveTables checks that a package comment has a row with tests for each of its guarantees, and names a
// test for each of its deviations.
func TestPackageCommentsHaveTables(t *testing.T) {
	for _, row := range []struct {
		dir, letter string
		last        int
	}{{"slicer", "G", 13}, {"hints", "H", 7}, {"dedup", "D", 8}, {"mirror", "M", 9}} {
		comment := packageComment(t, row.dir)
		for i := range row.last {
			name := fmt.Sprint(row.letter, i+1)
			if !regexp.MustCompile(`(?m)^\t` + name + ` +(Test\S+ *)+$`).MatchString(comment) {
				t.Errorf("%s: no row says which tests hold %s", row.dir, name)
			}
			if !regexp.MustCompile(`(?m)^  - ` + name + ` `).MatchString(comment) {
				t.Errorf("%s: %s is not stated", row.dir, name)
			}
		}
		_, deviations, found := strings.Cut(comment, "# Deviations")
		if !found && row.dir != "dedup" { // no reader of Kubernetes is a library
			t.Errorf("%s has no list of deviations", row.dir)
		}
		deviations, _, _ = strings.Cut(deviations, "\n# ")
		list := regexp.MustCompile(`(?m)^ +(\d+)\. `).Split(deviations, -1)
		for i, deviation := range list[1:] {
			deviation, _, _ = strings.Cut(deviation, "\n\n")
			if !testNamed.MatchString(deviation) {
				t.Errorf("%s: deviation %d names no test", row.dir, i+1)
			}
		}
	}
}

// TestPackageCommentsOfSpec checks that no comment of a public package cites a number, which leads nowhere where only the
// documentation is read, and that the package comments say where the numbers in tests are explained.
func TestPackageCommentsOfSpec(t *testing.T) {
	for _, dir := range []string{"slicer", "slicer/service", "conditions", "hints", "mirror", "dedup"} {
		if dir != "slicer/service" && !strings.Contains(packageComment(t, dir), "[testdata/spec.md]: https://") {
			t.Errorf("%s: the package comment has no link to %s", dir, specFile)
		}
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if number := regexp.MustCompile(`\([SVP]\d+[^)]*\)`).FindString(string(data)); number != "" {
				t.Errorf("%s: %s leads nowhere on pkg.go.dev: say it in words", file, number)
			}
		}
	}
}
