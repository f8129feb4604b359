package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write the answers of testdata/plan anew")

const stories = "testdata/plan/*.txt"

// block is one command of a story file:
//
//	prose that says why
//	$ plan flags and files
//	< lines of standard input
//	standard output
//	! lines of standard error
//	exit 0
type block struct {
	prose   string // lines before the command
	args    []string
	stdin   string
	printed string // everything after the input
}

var exit = regexp.MustCompile(`(?m)^exit \d+\n`)

func parse(t *testing.T, text string) (blocks []block, rest string) {
	t.Helper()
	for {
		prose, after, found := cut(text, "$ plan")
		if !found {
			return blocks, text
		}
		end := exit.FindStringIndex(after)
		if end == nil {
			end = []int{len(after), len(after)}
		}
		command, printed, _ := strings.Cut(after[:end[1]], "\n")
		b := block{prose: prose, args: strings.Fields(command)}
		for strings.HasPrefix(printed, "<") {
			var line string
			line, printed, _ = strings.Cut(printed, "\n")
			b.stdin += strings.TrimPrefix(strings.TrimPrefix(line, "<"), " ") + "\n"
		}
		b.printed = printed
		blocks, text = append(blocks, b), after[end[1]:]
	}
}

// cut splits text at the first line that starts with prefix.
func cut(text, prefix string) (before, after string, found bool) {
	if strings.HasPrefix(text, prefix) {
		return "", text[len(prefix):], true
	}
	before, after, found = strings.Cut(text, "\n"+prefix)
	return before + "\n", after, found
}

func (b block) run() string {
	var stdout, stderr bytes.Buffer
	code := run(b.args, strings.NewReader(b.stdin), &stdout, &stderr)
	var out strings.Builder
	out.WriteString(stdout.String())
	for line := range strings.Lines(stderr.String()) {
		out.WriteString("! " + line)
	}
	fmt.Fprintf(&out, "exit %d\n", code)
	return out.String()
}

func (b block) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s%s\n", b.prose, strings.TrimSpace("$ plan "+strings.Join(b.args, " ")))
	for line := range strings.Lines(b.stdin) {
		out.WriteString(strings.TrimSpace("< "+line) + "\n")
	}
	return out.String() + b.printed
}

func TestStories(t *testing.T) {
	t.Chdir("../..") // files are named as from the root
	files, err := filepath.Glob(stories)
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories in %s (%v)", stories, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { runStory(t, file) })
	}
}

func runStory(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	blocks, rest := parse(t, string(data))
	if len(blocks) == 0 {
		t.Fatalf("%s has no command", file)
	}
	var out strings.Builder
	for _, b := range blocks {
		if strings.TrimSpace(b.prose) == "" {
			t.Errorf("plan %s: say why it is here", strings.Join(b.args, " "))
		}
		got := b.run()
		if got != b.printed && !*rewrite {
			t.Errorf("plan %s\n--- got\n%s--- want\n%s", strings.Join(b.args, " "), got, b.printed)
		}
		b.printed = got
		out.WriteString(b.String())
	}
	if *rewrite {
		if err := os.WriteFile(file, []byte(out.String()+rest), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
