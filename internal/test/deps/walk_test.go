package deps

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var fileNamed = regexp.MustCompile("`([a-z0-9_/]+\\.go)`")

// TestWalks holds the ways that CONTRIBUTING describes against the folders: a way names the files of production code that are there,
// and no others.
func TestWalks(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, ".github/CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range []struct {
		from, to string
		folders  []string
	}{
		{"In `slicer/service/`:", "\nIn ", []string{"slicer/service"}},
		{"In `slicer/`:", "\n## ", []string{"slicer"}},
		{"In `dedup/`, for those who follow a watch:", "\n## ", []string{"dedup", "dedup/internal/*"}},
	} {
		_, rest, _ := strings.Cut(string(text), way.from+"\n")
		section, _, _ := strings.Cut(rest, way.to)
		var named, there []string
		for _, match := range fileNamed.FindAllStringSubmatch(section, -1) {
			named = append(named, path.Base(match[1]))
		}
		for _, folder := range way.folders {
			for _, file := range sources(t, folder) {
				if file = filepath.Base(file); file != "doc.go" {
					there = append(there, file)
				}
			}
		}
		if lines := differing(named, there); len(there) == 0 || len(lines) > 0 {
			t.Errorf("%s + is named and not there, - is there and not named: %v", way.from, lines)
		}
	}
}
