package main

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
)

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestWritesFail: what cannot be printed is a mistake.
func TestWritesFail(t *testing.T) {
	for _, args := range [][]string{{"-h"}, {"-zone", "a"}} {
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
		if words, _, _ := strings.Cut(command, " | "); words != "services,nodes,endpointslices -o json" {
			t.Errorf("%s: kubectl get %s", name, words)
		}
	}
}
