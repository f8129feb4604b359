package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestWritesFail: what cannot be printed is a mistake.
func TestWritesFail(t *testing.T) {
	for _, args := range [][]string{{"-h"}, {"-print", "-endpoints", "10"}, {"-endpoints", "10", "-traces", "flapping"}} {
		var stderr bytes.Buffer
		if code := run(args, nil, full{}, &stderr); code != 1 || !strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("%v: exit code %d: %s", args, code, &stderr)
		}
	}
}

// TestFileNames: a file's name is printed so that it forges no line of the table, the trace or the picture.
func TestFileNames(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a\nTRACE\x1b[2J<script>.txt")
	if err := os.WriteFile(name, []byte("+1..5\n!1\n"), 0o600); err != nil {
		t.Skipf("no such file names here: %v", err)
	}
	picture := filepath.Join(dir, "out.svg")
	for _, args := range [][]string{{name}, {"-print", name}, {"-svg", picture, name}, {name + "x"}} {
		got := answer(args, "")
		if strings.Contains(got, "\nTRACE\x1b") || strings.Contains(got, "\x1b") {
			t.Errorf("%q:\n%s", args, got)
		}
	}
	drawn, err := os.ReadFile(picture)
	if err != nil || bytes.Contains(drawn, []byte("\x1b")) || bytes.Contains(drawn, []byte("<script>")) {
		t.Errorf("the picture has the name as it is (%v)", err)
	}
}
