package scenarios

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// smallFiles is the least number of files in testdata/manifests/small.txt.
const smallFiles = 34

// inputs returns what the scenario files of all commands give on standard input.
func inputs(f *testing.F) (all []string) {
	for _, pattern := range []string{"../../testdata/plan/*.txt", "../*/testdata/*.txt"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("no scenarios in %s (%v)", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			for _, in := range regexp.MustCompile(`(?m)(?:^<.*\n)+`).FindAllString(string(text), -1) {
				all = append(all, regexp.MustCompile(`(?m)^< ?`).ReplaceAllString(in, ""))
			}
		}
	}
	return all
}

// Fuzz gives a command texts on standard input, with each of several lines of flags. It must not
// panic, and what it refuses has an answer. The corpus begins with the small manifests, what
// scenario files give on standard input, and small hostile files.
func (c Command) Fuzz(f *testing.F, lines ...string) {
	text, err := os.ReadFile("../../testdata/manifests/small.txt")
	files := inside(string(text))
	if err != nil || len(files) < smallFiles {
		f.Fatalf("%d small files, want %d (%v)", len(files), smallFiles, err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f.Add(files[name])
	}
	for _, in := range inputs(f) {
		f.Add(in)
	}
	for _, h := range append(aliases, dense...) {
		f.Add(h.text(1000))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 10_000 {
			return // large plans take long, and fail no other way
		}
		for _, line := range lines {
			args := append(strings.Fields(line), "-")
			answer := c.Answer(args, text)
			if !strings.HasSuffix(answer, "exit 0\n") &&
				(!strings.HasSuffix(answer, "exit 1\n") || !strings.Contains(answer, "! ")) {
				t.Errorf("%s: %q", line, answer)
			}
		}
	})
}
