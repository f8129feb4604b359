package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/examples/internal/stories"
)

var command stories.Command = run

func TestStories(t *testing.T) { command.Run(t, "churn", "testdata/churn/*.txt") }

func TestWritesFail(t *testing.T) { command.WritesFail(t, "-endpoints 10 -traces flapping") }

// TestFileNames: a file's name is printed so that it forges no line of the table or the picture.
func TestFileNames(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a\nTRACE\x1b[2J<script>.txt")
	if err := os.WriteFile(name, []byte("+1..5\n!1\n"), 0o600); err != nil {
		t.Skipf("no such file names here: %v", err)
	}
	picture := filepath.Join(dir, "out.svg")
	for _, args := range [][]string{{name}, {"-svg", picture, name}, {name + "x"}} {
		if got := command.Answer(args, ""); strings.Contains(got, "\x1b") {
			t.Errorf("%q:\n%s", args, got)
		}
	}
	drawn, err := os.ReadFile(picture)
	if err != nil || bytes.Contains(drawn, []byte("\x1b")) || bytes.Contains(drawn, []byte("<script>")) {
		t.Errorf("the picture has the name as it is (%v)", err)
	}
}
