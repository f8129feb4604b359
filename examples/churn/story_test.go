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

var rewrite = flag.Bool("rewrite", false, "write the answers of testdata/churn anew")

// command is one of a story file: prose that says why, "$ churn" with flags, lines of standard input after "<", and what
// is printed, with "!" before lines of standard error, up to the exit code.
var command = regexp.MustCompile(`(?ms)^\$ churn(.*?)\n((?:<.*?\n)*)(.*?)^exit \d+\n`)

func TestStories(t *testing.T) {
	files, err := filepath.Glob("../../testdata/churn/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories (%v)", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		t.Run(name, func(t *testing.T) { runStory(t, file) })
	}
}

func runStory(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..")
	text := string(data)
	actual, end := "", 0
	for _, at := range command.FindAllStringSubmatchIndex(text, -1) {
		prose, args, stdin, printed := text[end:at[0]], text[at[2]:at[3]], text[at[4]:at[5]], text[at[6]:at[1]]
		if len(strings.TrimSpace(prose)) == 0 {
			t.Errorf("churn%s: say why it is here", args)
		}
		got := answer(strings.Fields(args), strings.ReplaceAll(strings.ReplaceAll("\n"+stdin, "\n< ", "\n"), "\n<", "\n")[1:])
		if got != printed && !*rewrite {
			t.Errorf("churn%s\n--- got\n%s--- want\n%s", args, got, printed)
		}
		actual += prose + "$ churn" + args + "\n" + stdin + got
		end = at[1]
	}
	if end == 0 {
		t.Fatal("no command")
	}
	if *rewrite {
		if err := os.WriteFile(filepath.Join("testdata/churn", filepath.Base(file)), []byte(actual+text[end:]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// answer is what a command prints.
func answer(args []string, stdin string) string {
	var stdout, stderr bytes.Buffer
	code := run(args, strings.NewReader(stdin), &stdout, &stderr)
	out := stdout.String()
	for line := range strings.Lines(stderr.String()) {
		out += "! " + line
	}
	return out + fmt.Sprintf("exit %d\n", code)
}
