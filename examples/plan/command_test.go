package main

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/examples/internal/commandline"
)

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestWritesFail: what cannot be printed is a mistake, in each format.
func TestWritesFail(t *testing.T) {
	for _, args := range [][]string{{"-h"}, {"-o", "table"}, {"-o", "yaml"}, {"-o", "json"}} {
		var stderr bytes.Buffer
		code := run(append(args, "../../testdata/manifests/dual-stack.yaml"), nil, full{}, &stderr)
		if code != 1 || !strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("%v: exit code %d: %s", args, code, &stderr)
		}
	}
}

// TestKubectl: help and package comment give one command, and it is one that kubectl takes: with all kinds in one word.
func TestKubectl(t *testing.T) {
	source, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"help": usage, "package comment": string(source)} {
		_, command, _ := strings.Cut(text, "kubectl get ")
		if words, _, _ := strings.Cut(command, " | "); words != "services,pods,nodes,endpointslices -o json" {
			t.Errorf("%s: kubectl get %s", name, words)
		}
		if strings.Count(text, "kubectl get") != 1 {
			t.Errorf("%s has several commands", name)
		}
	}
}

// TestNarrowTerminal: nothing that a table says is lost on a narrow terminal.
func TestNarrowTerminal(t *testing.T) {
	world := read(t, "../../testdata/manifests/rolling-update.yaml")
	c, err := parseFlags([]string{"-all", "x"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	plans, err := planAll(&world, c)
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{0, 80, 60} {
		var text bytes.Buffer
		out := commandline.NewOutput(&text)
		out.Width, out.Colours = width, width == 60
		table{out: out, config: c}.slices(plans[0])
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		if colours := strings.Count(text.String(), "\x1b[33mupdate\x1b[0m"); (colours > 0) != out.Colours {
			t.Errorf("width %d: %d updates in colour", width, colours)
		}
		for line := range strings.Lines(text.String()) {
			plain := strings.NewReplacer("\x1b[33m", "", "\x1b[32m", "", "\x1b[31m", "", "\x1b[1m", "", "\x1b[0m", "", "\n", "").Replace(line)
			if len(plain) > width && width > 0 {
				t.Errorf("width %d: %s", width, line)
			}
		}
	}
}
