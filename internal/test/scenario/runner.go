// Package scenario runs stories: text files that say in prose what they are about, set up a world, compute plans in it,
// and hold the expected output.
//
//	# A Pod goes away: only the slice that held it is written.
//
//	slices
//	web-a | http:80 | 10.0.0.1 10.0.0.2
//
//	want
//	http:80 | 10.0.0.1
//
//	compute
//	----
//	update web-a: -10.0.0.2 (EndpointsRemoved)
//	total 1 write (1 update), endpoints +0 -1 ~0
//
// A command is a line; some take a block, the lines up to a blank one. Its output follows after ---- up to a blank line.
// go test -rewrite writes the outputs as they are now into the files: read the difference before you commit it. The
// commands of slicer's stories are listed at World, and the notation of endpoints is that of package notation.
package scenario

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write the outputs of scenarios into their files")

// Command is one command of a story.
type Command struct {
	Name  string   // its first word
	Args  []string // further words of its line
	Block []string // the lines below it
}

// Handler carries out one command and returns its output. An error is a story that makes no sense, or a check that
// failed; it fails the test whatever the file expects.
type Handler func(Command) (string, error)

// Run runs every file that matches the pattern as a subtest of its name. begin is called for each, and says whether a
// command takes a block.
func Run(t *testing.T, pattern string, begin func() Handler, block func(command string) bool) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scenario matches %s (%v)", pattern, err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := runFile(t, path, string(text), begin(), block)
			if *rewrite && got != string(text) {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// story is a file that is being run: the lines ahead, and the lines as they should be.
type story struct {
	lines []string
	next  int
	out   strings.Builder
}

func (s *story) more() bool { return s.next < len(s.lines) }

// take copies the next line into the output.
func (s *story) take() string {
	line := s.lines[s.next]
	s.next++
	fmt.Fprintln(&s.out, line)
	return line
}

// reporter is what a story needs of a *testing.T.
type reporter interface {
	Errorf(format string, args ...any)
}

func runFile(t reporter, path, text string, handle Handler, block func(string) bool) string {
	s := &story{lines: strings.Split(strings.TrimRight(text, "\n"), "\n")}
	if heading := strings.Fields(s.lines[0]); len(heading) < 5 || heading[0] != "#" {
		t.Errorf("%s:1: a story begins with a heading in prose: # What it shows, and why.", path)
	}
	for s.more() {
		if line := s.lines[s.next]; line == "" || strings.HasPrefix(line, "#") {
			s.take()
			continue
		}
		at := s.next + 1
		got, err := handle(s.command(block))
		if err != nil {
			t.Errorf("%s:%d: %v", path, at, err)
		}
		want, ok := s.expected()
		if !*rewrite && want != got {
			t.Errorf("%s:%d: got\n%s\nwant\n%s", path, at, got, want)
		}
		if got != "" || ok {
			fmt.Fprintf(&s.out, "----\n%s", got)
		}
	}
	return s.out.String()
}

// command reads a line, and the block below it where the command takes one.
func (s *story) command(block func(string) bool) Command {
	words := fields(s.take())
	c := Command{Name: words[0], Args: words[1:]}
	for block(c.Name) && s.more() && s.lines[s.next] != "" && s.lines[s.next] != "----" {
		line := s.take()
		switch last := len(c.Block) - 1; {
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, " ") && last >= 0:
			c.Block[last] += line
		default:
			c.Block = append(c.Block, line)
		}
	}
	return c
}

// expected reads what is below ----, without copying it.
func (s *story) expected() (want string, ok bool) {
	if !s.more() || s.lines[s.next] != "----" {
		return "", false
	}
	for s.next++; s.more() && s.lines[s.next] != ""; s.next++ {
		want += s.lines[s.next] + "\n"
	}
	return want, true
}
