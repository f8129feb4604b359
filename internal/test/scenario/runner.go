// Package scenario runs scenarios: texts that say in prose what they are about, set up a world,
// compute plans in it, and hold the expected output. A file has those of one theme. Each begins
// with its name, by which go test -run finds it, and a sentence:
//
//	== pod-gone: A Pod goes away, and only the slice that held it is written.
//
//	slices
//	web-a | http:80 | 10.0.0.1 10.0.0.2
//
//	want
//	http:80 | 10.0.0.1
//
//	compute
//	assert: update web-a
//	assert: no create
//	----
//	update web-a: -10.0.0.2 (EndpointsRemoved)
//	total 1 write (1 update), endpoints +0 -1 ~0
//
// A command is a line; some take a block, the lines up to a blank one. Its output follows after
// ---- up to a blank line. A line assert: says what the rule is of which the output is an example:
// a text that some line of it has; "A before B", where no line with B stands before the first with
// A, and both are there; or "no A", a text that no line has.
//
// go test -rewrite writes the outputs as they are now into the files, but for a scenario in which a
// command fails or a line assert: does not hold: read the difference before you commit it. To add a
// scenario, write it with its commands into the file of its theme, and let -rewrite add the
// outputs. The commands of slicer's scenarios are listed at State, and the notation of endpoints is
// that of package notation.
package scenario

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write the outputs of scenarios into their files")

// Command is one command of a scenario.
type Command struct {
	Name  string   // its first word
	Args  []string // further words of its line
	Block []string // the lines below it
	must  []string // what its output must have
}

// Handler carries out one command and returns its output. An error is a scenario that makes no
// sense, or a check that failed; it fails the test whatever the file expects.
type Handler func(Command) (string, error)

// Run runs every scenario of the files that match the pattern as a subtest of its name. begin is
// called for each, and says whether a command takes a block.
func Run(t *testing.T, pattern string, begin func() Handler, block func(command string) bool) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scenario matches %s (%v)", pattern, err)
	}
	seen := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		parts, line := strings.Split("\n"+string(text), "\n== "), 1
		if strings.TrimSpace(parts[0]) != "" {
			t.Errorf("%s:1: a scenario begins with == name: what it shows, and why; put it into the file of its theme",
				path)
		}
		for i, part := range parts[1:] {
			name, _, _ := strings.Cut(part, ":")
			if seen[name] != "" {
				t.Errorf("%s:%d: %s has a scenario %s, too", path, line, seen[name], name)
			}
			seen[name] = path
			at := line
			line += 1 + strings.Count(part, "\n")
			t.Run(name, func(t *testing.T) {
				if got, ok := runScenario(t, path, at, "== "+part, begin(), block); ok {
					parts[1+i] = strings.TrimPrefix(got, "== ")
				}
			})
		}
		if *rewrite {
			got := strings.TrimSpace(strings.Join(parts, "\n== ")) + "\n"
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// running is a scenario that is being run: the lines ahead, and the lines as they should be.
type running struct {
	lines []string
	next  int
	out   strings.Builder
}

func (s *running) more() bool { return s.next < len(s.lines) }

// take copies the next line into the output.
func (s *running) take() string {
	line := s.lines[s.next]
	s.next++
	fmt.Fprintln(&s.out, line)
	return line
}

// reporter is what a scenario needs of a *testing.T.
type reporter interface {
	Errorf(format string, args ...any)
}

// runScenario returns the scenario with the outputs as they are, and whether these may be written:
// each command made sense, and what must hold does. line is that of its heading in the file.
func runScenario(t reporter, path string, line int, text string, handle Handler,
	block func(string) bool) (string, bool) {
	s := &running{lines: strings.Split(text, "\n")}
	heading := s.take()
	if name, why, _ := strings.Cut(strings.TrimPrefix(heading, "== "), ": "); name == "" ||
		len(strings.Fields(why)) < 4 {
		t.Errorf("%s:%d: a scenario begins with == name: what it shows, and why", path, line)
		return text, false
	}
	ok := true
	for s.more() {
		if line := s.lines[s.next]; line == "" || strings.HasPrefix(line, "#") {
			s.take()
			continue
		}
		at := line + s.next
		c := s.command(block)
		got, err := handle(c)
		if err != nil {
			t.Errorf("%s:%d: %v\n%s", path, at, err, heading)
			ok = false
		}
		want, expects := s.expected()
		if !*rewrite && want != got {
			t.Errorf("%s:%d: got\n%s\nwant\n%s\n%s", path, at, got, want, heading)
		}
		for _, rule := range c.must {
			if !holds(rule, strings.Split(got, "\n")) {
				t.Errorf("%s:%d: this must hold, and does not: %s\n%s\nThe output is\n%s", path, at, rule, heading, got)
				ok = false
			}
		}
		if got != "" || expects {
			fmt.Fprintf(&s.out, "----\n%s", got)
		}
	}
	return strings.TrimSuffix(s.out.String(), "\n"), ok
}

// holds says whether the lines are as a line assert: wants them.
func holds(rule string, lines []string) bool {
	first := func(text string) int {
		return slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, text) })
	}
	if text, ok := strings.CutPrefix(rule, "no "); ok {
		return first(text) < 0
	}
	if before, after, ok := strings.Cut(rule, " before "); ok {
		a, b := first(before), first(after)
		return a >= 0 && a < b
	}
	return first(rule) >= 0
}

// command reads a line, what must hold of its output, and the block below it where the command
// takes one.
func (s *running) command(block func(string) bool) Command {
	words := fields(s.take())
	c := Command{Name: words[0], Args: words[1:]}
	for s.more() && s.lines[s.next] != "" && s.lines[s.next] != "----" {
		if rule, ok := strings.CutPrefix(s.lines[s.next], "assert: "); ok {
			c.must = append(c.must, rule)
			s.take()
			continue
		}
		if !block(c.Name) {
			break
		}
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
func (s *running) expected() (want string, ok bool) {
	if !s.more() || s.lines[s.next] != "----" {
		return "", false
	}
	for s.next++; s.more() && s.lines[s.next] != ""; s.next++ {
		want += s.lines[s.next] + "\n"
	}
	return want, true
}
