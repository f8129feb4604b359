package deps

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// reasonLists are the files that have reasons as strings, and the words in package comments and in
// these files that are no reasons.
var reasonLists = []struct {
	comment, after string
	files          []string
	others         string
}{
	{"slicer/doc.go", "Reasons of Warnings:", []string{"slicer/*.go", "internal/accept/accept.go", "slicer/services/*.go",
		"mirror/*.go", "mirror/mcs/import.go"},
		"Pod Service EndpointSlice Auto Disabled Reasons Normal Step Remove Adopt Backends Pods Endpoints"},
	{"dedup/doc.go", "# Reasons", []string{"dedup/internal/content/problem.go", "dedup/unused.go", "dedup/rules.go"},
		"Reasons Of Warnings Service Unused"},
	{"dedup/routing/doc.go", "# Reasons of a Verdict", []string{"dedup/routing/explain.go", "dedup/routing/decide.go"},
		"Reasons Verdict Used Not"},
}

// TestReasons: package comments list the reasons that the code has, and no others.
func TestReasons(t *testing.T) {
	text := func(file string) string {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	reason := regexp.MustCompile(`\b[A-Z][a-z]+([A-Z]+[a-z]*)*\b`)
	quoted := regexp.MustCompile(`"` + reason.String() + `"`)
	for _, l := range reasonLists {
		_, list, _ := strings.Cut(text(filepath.Join(root, l.comment)), l.after)
		list = regexp.MustCompile(`(?m)A (released )?reason[^.]*\.|^// \[.*$`).ReplaceAllString(list, "")
		listed := map[string]bool{}
		for _, w := range reason.FindAllString(list, -1) {
			listed[w] = true
		}
		used := map[string]bool{}
		for _, pattern := range l.files {
			files, _ := filepath.Glob(filepath.Join(root, pattern))
			if len(files) == 0 {
				t.Fatalf("no file is %s", pattern)
			}
			for _, file := range files {
				if strings.HasSuffix(file, "_test.go") {
					continue
				}
				for _, w := range quoted.FindAllString(text(file), -1) {
					used[strings.Trim(w, `"`)] = true
				}
			}
		}
		for _, w := range strings.Fields(l.others) {
			delete(listed, w)
			delete(used, w)
		}
		got, want := slices.Sorted(maps.Keys(listed)), slices.Sorted(maps.Keys(used))
		if !slices.Equal(got, want) {
			t.Errorf("%s lists\n%v\nand the code has\n%v", l.comment, got, want)
		}
	}
}
