package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestReadmeMirror runs the command of the README's section about mirrors: it must print what is shown there.
func TestReadmeMirror(t *testing.T) {
	t.Chdir("../..")
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(readme), "$ go run ./examples/plan ")
	block, _, found := strings.Cut(block, "```\n")
	command, want, _ := strings.Cut(block, "\n")
	if !found || !strings.Contains(want, "192.168.1.100") {
		t.Fatal("the README shows no mirror of the database on 192.168.1.100")
	}
	var stdout, stderr bytes.Buffer
	code := run(strings.Fields(command), nil, &stdout, &stderr)
	begins, ends, _ := strings.Cut(want, "  ...\n") // which stands for some of the lines
	if have := stdout.String(); code != exitOK || !strings.HasPrefix(have, begins) || !strings.HasSuffix(have, ends) || len(begins) == len(want) {
		t.Errorf("exit %d %s; the README shows\n%s\nand the command prints\n%s", code, &stderr, want, &stdout)
	}
}
