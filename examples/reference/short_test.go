// Package reference counts the lines of the reference programs.
package reference

import (
	"os"
	"strings"
	"testing"
)

// TestProgramsAreShort: imports, blank lines and lines that are a comment do not count. README.md names eight lines of the proxy
// that are not about the task.
func TestProgramsAreShort(t *testing.T) {
	for name, most := range map[string]int{"controller": 43, "proxy": 34, "importer": 22} {
		text, err := os.ReadFile(name + "/" + name + ".go")
		if err != nil {
			t.Fatal(err)
		}
		_, program, _ := strings.Cut(string(text), "\n)\n")
		n := 0
		for line := range strings.Lines(program) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
				n++
			}
		}
		if n < 10 || n > most {
			t.Errorf("%s: %d lines, want 10 to %d", name, n, most)
		}
	}
}
