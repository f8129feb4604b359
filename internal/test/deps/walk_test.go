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

// TestWalks holds the ways that CONTRIBUTING describes against the folders: each file that a way names is there, and each file of
// production code in these folders is named once.
func TestWalks(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, ".github/CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	section := func(from, to string) string {
		_, rest, ok := strings.Cut(string(text), from+"\n")
		way, _, _ := strings.Cut(rest, to)
		if !ok {
			t.Fatalf("CONTRIBUTING has no %q", from)
		}
		return way
	}
	walk(t, "slicer/service", section("In `slicer/service/`:", "\nIn "), "slicer/service")
	walk(t, "slicer", section("In `slicer/`:", "\n## "), "slicer")
	walk(t, "dedup", section("In `dedup/`, for those who follow a watch:", "\n## "), "dedup", "dedup/internal/*")
}

// walk compares the files that a way names with those of some folders. A file without folder is in that of the file before it in its
// line, if it says "there", and else in dir.
func walk(t *testing.T, dir, way string, folders ...string) {
	named := map[string]bool{}
	for line := range strings.Lines(way) {
		at := dir
		for _, match := range fileNamed.FindAllStringSubmatch(line, -1) {
			file := path.Join(dir, match[1])
			if strings.Contains(match[1], "/") {
				at = path.Dir(file)
			} else if strings.Contains(line, " there") {
				file = path.Join(at, match[1])
			}
			if named[file] {
				t.Errorf("%s is named twice", file)
			}
			named[file] = true
			if _, err := os.Stat(filepath.Join(root, file)); err != nil {
				t.Errorf("CONTRIBUTING names %s: %v", file, err)
			}
		}
	}
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal("no files", err)
		}
		for _, file := range files {
			file, _ = filepath.Rel(root, file)
			if !strings.HasSuffix(file, "_test.go") && path.Base(file) != "doc.go" && !named[filepath.ToSlash(file)] {
				t.Errorf("no way in CONTRIBUTING comes by %s", file)
			}
		}
	}
}
