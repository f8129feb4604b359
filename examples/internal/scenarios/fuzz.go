package scenarios

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Fuzz gives a command texts on standard input, with each of several lines of flags. It must not panic,
// and what it refuses has an answer. The corpus begins with the small manifests.
func (c Command) Fuzz(f *testing.F, lines ...string) {
	files, err := filepath.Glob("../../testdata/manifests/small/*.*")
	if err != nil || len(files) < 25 {
		f.Fatalf("%d small files (%v)", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 10_000 {
			return // large plans take long, and fail no other way
		}
		for _, line := range lines {
			args := append(strings.Fields(line), "-")
			answer := c.Answer(args, text)
			if !strings.HasSuffix(answer, "exit 0\n") && (!strings.HasSuffix(answer, "exit 1\n") || !strings.Contains(answer, "! ")) {
				t.Errorf("%s: %q", line, answer)
			}
		}
	})
}
