package controller

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSize shows that our side stays small: it is what somebody would write who uses the library. The controller has at most
// 200 lines. With its tracker, which Kubernetes' side has too, it has at most 200 lines of code: imports, comments and empty
// lines do not count.
func TestSize(t *testing.T) {
	whole, err := os.ReadFile("controller.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(whole, []byte("\n")); n > 200 {
		t.Errorf("%d lines, want at most 200", n)
	}
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
