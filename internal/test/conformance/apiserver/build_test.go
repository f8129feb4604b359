package apiserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBuild shows that a program that does not build is one line with go's last word, and leaves no
// file that a later call would take; and that one that builds is there for the next call.
func TestBuild(t *testing.T) {
	b := build{source: t.TempDir(), dir: filepath.Join(t.TempDir(), "v1.2.3"), version: "v1.2.3"}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(b.source, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	small := Program{Name: "small", pkg: ".", work: 1}
	write("go.mod", "module small\n\ngo 1.26\n")
	write("main.go", "package main\n\nfunc main() { missing() }\n")
	path, err := b.binary(t.Context(), small)
	if err == nil {
		t.Fatal("built", path)
	}
	for _, part := range []string{"small v1.2.3 does not build", "undefined: missing", ".log"} {
		if text := err.Error(); !strings.Contains(text, part) || strings.Contains(text, "\n") {
			t.Errorf("want one line with %q, got %q", part, text)
		}
	}
	write("main.go", "package main\n\nfunc main() {}\n")
	if path, err = b.binary(t.Context(), small); err != nil || path != filepath.Join(b.dir, "small") {
		t.Fatal(path, err)
	}
	built, err := os.Stat(path)
	if err != nil || built.Mode()&0o100 == 0 {
		t.Fatal("not a program:", err)
	}
	if _, err := b.binary(t.Context(), small); err != nil {
		t.Fatal(err)
	}
	if again, err := os.Stat(path); err != nil || !again.ModTime().Equal(built.ModTime()) {
		t.Error("it was built again:", err)
	}
}
