package deps

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const specFile = "testdata/spec.md"

// TestSpecNumbers checks that testdata/spec.md says what every number is that comments, tests and scenario files cite,
// and that what it says is cited, or names a test that shows it.
func TestSpecNumbers(t *testing.T) {
	text := read(t, specFile)
	defined := map[string]bool{}
	for _, match := range regexp.MustCompile(`(?m)^- ([SVP]\d+|vector \d+):? `).FindAllStringSubmatch(text, -1) {
		if defined[match[1]] {
			t.Errorf("%s is defined twice", match[1])
		}
		defined[match[1]] = true
	}
	cited := citations(t)
	known := slices.Concat(scenariosBelow(t), functionsIn(t, "."))
	for item := range strings.SplitSeq(text, "\n- ") {
		number, _, _ := strings.Cut(item, " ")
		for _, name := range quoted.FindAllStringSubmatch(item, -1) {
			if strings.HasPrefix(name[1], "Test") && !slices.Contains(known, name[1]) {
				t.Errorf("%s: there is no %s", number, name[1])
			} else if strings.HasPrefix(name[1], "Test") {
				cited[number] = specFile
			}
		}
	}
	for _, number := range slices.Sorted(maps.Keys(cited)) {
		if !defined[number] {
			t.Errorf("%s: %s is not defined in %s", cited[number], number, specFile)
		}
	}
	for _, number := range slices.Sorted(maps.Keys(defined)) {
		if cited[number] == "" {
			t.Errorf("%s is defined in %s and cited nowhere", number, specFile)
		}
	}
}

// citations maps each number that a Go file or a file below testdata cites to one that does.
func citations(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if name == specFile || !strings.HasSuffix(name, ".go") && !strings.HasPrefix(name, "testdata/") {
			return nil
		}
		data, err := os.ReadFile(file)
		for _, number := range numbers(string(data)) {
			found[number] = name
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

var (
	numberCited = regexp.MustCompile(`\b(?:Test)?([SVP]\d{1,2})(?:\b|[A-Z])`)
	vectorCited = regexp.MustCompile(`ectors? (\d+)\b(?: and (\d+)\b)?`)
)

// numbers lists what a text cites: S12 and TestS12More, V4, P3, "vector 20" and "vectors 27 and 28".
func numbers(text string) []string {
	var found []string
	for _, match := range numberCited.FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	for _, match := range vectorCited.FindAllStringSubmatch(text, -1) {
		for _, number := range match[1:] {
			if number != "" {
				found = append(found, "vector "+number)
			}
		}
	}
	return found
}
