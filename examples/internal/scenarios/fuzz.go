package scenarios

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// Fuzz gives a command texts on standard input, with each of several lines of flags. It must not
// panic, and what it refuses has an answer. The corpus begins with the small manifests.
func (c Command) Fuzz(f *testing.F, lines ...string) {
	text, err := os.ReadFile("../../testdata/manifests/small.txt")
	files := inside(string(text))
	if err != nil || len(files) < 25 {
		f.Fatalf("%d small files (%v)", len(files), err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f.Add(files[name])
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
