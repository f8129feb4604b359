package deps

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeCommands runs the commands whose output the README shows. A line of three dots stands for any lines, or none.
func TestReadmeCommands(t *testing.T) {
	text := readme(t)
	for _, shown := range []struct{ why, want string }{
		{"the plan of a rolling update", "$ go run ./examples/plan testdata/manifests/rolling-update.yaml"},
		{"what a zone may use", "$ go run ./examples/route -zone "},
	} {
		if !strings.Contains(text, shown.want) {
			t.Errorf("no %q, which shows %s", shown.want, shown.why)
		}
	}
	commands := 0
	for _, block := range regexp.MustCompile("(?s)```[a-z]*\n(\\$ .*?)```").FindAllStringSubmatch(text, -1) {
		for _, part := range strings.Split("\n"+block[1], "\n$ ")[1:] {
			command, want, _ := strings.Cut(part, "\n")
			words := strings.Fields(command)
			if len(words) < 3 || words[0] != "go" || words[1] != "run" {
				t.Errorf("%s: want go run", command)
				continue
			}
			run := exec.Command(words[0], words[1:]...)
			run.Dir = root
			got, err := run.Output()
			if err != nil {
				t.Errorf("%s: %v", command, err)
			}
			if commands++; !abridged(string(got), want) {
				t.Errorf("%s: the README shows\n%s\nand the command prints\n%s", command, want, got)
			}
		}
	}
	if commands < 2 {
		t.Errorf("%d commands, want those of plan and route", commands)
	}
}

var trailing = regexp.MustCompile(`(?m) +$`)

// abridged says whether short is long with lines of three dots for some of its lines, or none.
func abridged(long, short string) bool {
	tidy := func(text string) string { return "\n" + strings.Trim(trailing.ReplaceAllString(text, ""), "\n") }
	pattern := strings.ReplaceAll(regexp.QuoteMeta(tidy(short)), "\n"+`\.\.\.`, `(\n.*)*`)
	return regexp.MustCompile("^" + pattern + "$").MatchString(tidy(long))
}
