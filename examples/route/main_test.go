package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/internal/scenario"
)

// TestStories runs the stories in testdata: command lines, standard input in the block, and what is printed.
func TestStories(t *testing.T) {
	scenario.Run(t, "testdata/*.txt", func() scenario.Handler { return story }, func(command string) bool { return command == "route" })
}

func story(c scenario.Command) (string, error) {
	var stdout, stderr bytes.Buffer
	code := run(c.Args, strings.NewReader(strings.Join(c.Block, "\n")), &stdout, &stderr)
	text := stdout.String() + stderr.String()
	if code != 0 {
		text += "exit 1\n"
	}
	// A blank line would end the story's expectation.
	var kept []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, " \n"); line != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n") + "\n", nil
}

// TestEveryManifestIsShown reads all demo clusters: each endpoint is in the table, once for each port and family.
func TestEveryManifestIsShown(t *testing.T) {
	var stdout, stderr bytes.Buffer
	args := []string{"-all", "-zone", "eu-central-1b", "../../testdata/manifests/rolling-update.yaml", "../../testdata/manifests/named-ports.yaml"}
	if code := run(args, nil, &stdout, &stderr); code != 0 || stderr.Len() > 0 {
		t.Fatalf("exit %d: %s", code, &stderr)
	}
	rows := strings.Count(stdout.String(), "\n  yes ") + strings.Count(stdout.String(), "\n  no ")
	if rows < 500 {
		t.Errorf("%d rows for 250 endpoints behind two ports and more", rows)
	}
}
