package controller

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSize shows that our side stays small: it is what somebody would write who uses the library. Imports, comments and
// empty lines do not count.
func TestSize(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, code, _ := bytes.Cut(text, []byte("\n)\n")) // after the imports
		for line := range bytes.Lines(code) {
			if line = bytes.TrimSpace(line); len(line) > 0 && !bytes.HasPrefix(line, []byte("//")) {
				n++
			}
		}
	}
	if n < 100 || n > 200 {
		t.Errorf("%d lines of code, want 100 to 200", n)
	}
}
