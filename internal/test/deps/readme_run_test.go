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
			if commands++; !abridged(trimmed(string(got)), trimmed(want)) {
				t.Errorf("%s: the README shows\n%s\nand the command prints\n%s", command, want, got)
			}
		}
	}
	if commands < 2 {
		t.Errorf("%d commands, want those of plan and route", commands)
	}
}

// trimmed puts each line between line ends.
func trimmed(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return "\n" + strings.Join(lines, "\n") + "\n"
}

// abridged says whether short is long with lines of three dots for some of its lines.
func abridged(long, short string) bool {
	parts := strings.Split(short, "\n...")
	last := len(parts) - 1
	if last == 0 {
		return long == short
	}
	for i, part := range parts[:last] {
		before, after, found := strings.Cut(long, part)
		if long = after; !found || !strings.HasPrefix(long, "\n") || i == 0 && before != "" {
			return false
		}
	}
	return strings.HasSuffix(long, parts[last])
}

// TestAbridged: what the README leaves out is lines, marked, and nothing else.
func TestAbridged(t *testing.T) {
	for _, c := range []struct {
		why, long, short string
		want             bool
	}{
		{"the same", "a\nb", "a\nb", true},
		{"the middle left out", "a\nb\nc", "a\n...\nc", true},
		{"the end missing", "a\nb", "a", false},
		{"another line", "a\nb\nc", "a\n...\nd", false},
		{"a gap twice", "a\nb\nc\nd\ne", "a\n...\nc\n...\ne", true},
		{"part of a line before the dots", "abc\nd", "ab\n...\nd", false},
	} {
		if got := abridged(trimmed(c.long), trimmed(c.short)); got != c.want {
			t.Errorf("%s: %v", c.why, got)
		}
	}
}
