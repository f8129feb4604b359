package commandline

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestCommand reads flags and ends as a command does: with what is printed, where, and the exit code.
func TestCommand(t *testing.T) {
	for _, row := range []struct {
		args           []string
		words          []string
		fault          error
		stdout, stderr string
		code           int
	}{
		{args: []string{"-n", "2"}},
		{args: []string{"-n", "2", "file", "other"}, words: []string{"file", "other"}},
		{args: []string{"file", "-n", "2", "other"}, words: []string{"file", "other"}},
		{args: []string{"file", "-", "-n=2"}, words: []string{"file", "-"}},
		{args: []string{"-n", "2", "--", "-file", "-x"}, words: []string{"-file", "-x"}},
		{args: []string{"file", "--", "-x"}, words: []string{"file", "-x"}},
		{args: []string{"-h"}, stdout: "Usage: test\n  -n int\n    \ta number\n"},
		{args: []string{"file", "-h"}, stdout: "Usage: test\n  -n int\n    \ta number\n"},
		{args: []string{"-x"}, stderr: "test: flag provided but not defined: -x (-h lists the flags)\n", code: 1},
		{args: []string{"file", "-x"}, stderr: "test: flag provided but not defined: -x (-h lists the flags)\n", code: 1},
		{fault: errors.Join(errors.New("one"), errors.New("two")), stderr: "test: one\ntest: two\n", code: 1},
		{fault: errors.New("no file a\n\x1b[2Jb"), stderr: `test: "no file a\n\x1b[2Jb"` + "\n", code: 1},
	} {
		var stdout, stderr strings.Builder
		flags := flag.NewFlagSet("test", flag.ContinueOnError)
		flags.Int("n", 0, "a number")
		words, err := Parse(flags, row.args, "Usage: test\n", &stdout)
		if err == nil {
			err = row.fault
		}
		code := Exit("test", err, &stderr)
		if code != row.code || stdout.String() != row.stdout || stderr.String() != row.stderr || !slices.Equal(words, row.words) {
			t.Errorf("%q: %q, exit code %d\n%s\n%s", row.args, words, code, &stdout, &stderr)
		}
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestWritesFail: an output that cannot be written is an error, whoever printed to it and however little.
func TestWritesFail(t *testing.T) {
	for name, print := range map[string]func(*Output){
		"a line":            func(o *Output) { o.Line("x") },
		"many lines":        func(o *Output) { o.Line("%s", strings.Repeat("x", 100_000)); o.Line("y") },
		"text":              func(o *Output) { fmt.Fprint(o, "x") },
		"a table":           func(o *Output) { table := &Table{}; table.Row("", "x"); table.Print(o) },
		"an encoded object": func(o *Output) { o.JSON("{}") },
	} {
		out := NewOutput(full{})
		print(out)
		if err := out.Close(); err == nil || Exit("test", err, &strings.Builder{}) != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
	flags := flag.NewFlagSet("test", flag.ContinueOnError)
	if _, err := Parse(flags, []string{"-h"}, "Usage\n", full{}); Exit("test", err, &strings.Builder{}) != 1 {
		t.Errorf("help: %v", err)
	}
}

// TestVisible: no character of the input reaches a terminal unless it can be seen, and no line is forged.
func TestVisible(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"web-1", "web-1"},
		{`say "hello"\`, `say "hello"\`},
		{"zürich 東京", "zürich 東京"},
		{"", ""},
		{"web\nTotal: 0 writes", `"web\nTotal: 0 writes"`},
		{"web\r", `"web\r"`},
		{"a\tb", `"a\tb"`},
		{"\x1b[2Jweb", `"\x1b[2Jweb"`},
		{"\u009b2Jweb", `"\u009b2Jweb"`},
		{"a\u202eb", `"a\u202eb"`},
		{"\xff\x1b", `"\xff\x1b"`},
	} {
		if got := Visible(row.text); got != row.want {
			t.Errorf("Visible(%q) = %s", row.text, got)
		}
		var out strings.Builder
		o := NewOutput(&out)
		o.Line("%s %v %v", row.text, errors.New(row.text), []string{row.text})
		table := &Table{}
		table.Row("", row.text, row.text, ".")
		table.Print(o)
		o.JSON(`"` + row.text + `"`)
		if err := o.Close(); err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(out.String(), "\n")
		if len(lines) < 4 || lines[0] == "" || strings.Contains(row.text, "\n") && len(lines) != 5 {
			t.Errorf("%q is on %d lines", row.text, len(lines)-1)
		}
		for _, line := range lines {
			if line = strings.TrimSuffix(line, "\n"); Visible(line) != line {
				t.Errorf("%q is printed as %q", row.text, line)
			}
		}
	}
}

// TestJSONStaysTheSame: escapes are those of JSON.
func TestJSONStaysTheSame(t *testing.T) {
	if got, want := visibleJSON("{\n \"a\u009b\U000e0001\": 1\n}"), "{\n \"a\\u009b\\udb40\\udc01\": 1\n}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func printed(width int, colours bool, drop ...string) string {
	var text strings.Builder
	out := NewOutput(&text)
	out.Width, out.Colours = width, colours
	table := &Table{Indent: "  ", Drop: drop}
	table.Row(Bold, "ACTION", "SLICE", "WHY")
	table.Row(Green, "create", "web-ipv4", "EndpointsAdded, EndpointsRemoved, HintsChanged")
	table.Row("", "keep", "web-f00d-with-a-long-name", "")
	table.Print(out)
	out.Close()
	return text.String()
}

// TestTable: columns as wide as they must be; on a narrow terminal, cells over several lines.
func TestTable(t *testing.T) {
	for _, row := range []struct {
		width   int
		colours bool
		want    string
	}{
		{0, false, `
  ACTION  SLICE                      WHY
  create  web-ipv4                   EndpointsAdded, EndpointsRemoved, HintsChanged
  keep    web-f00d-with-a-long-name
`},
		{86, false, `
  ACTION  SLICE                      WHY
  create  web-ipv4                   EndpointsAdded, EndpointsRemoved, HintsChanged
  keep    web-f00d-with-a-long-name
`},
		{60, false, `
  ACTION  SLICE                     WHY
  create  web-ipv4                  EndpointsAdded,
                                    EndpointsRemoved,
                                    HintsChanged
  keep    web-f00d-with-a-long-     
          name
`},
		{50, false, `
  ACTION  WHY
  create  EndpointsAdded, EndpointsRemoved,
          HintsChanged
  keep
  (too narrow for SLICE)
`},
		{0, true, `
  ` + "\x1b[1mACTION\x1b[0m" + `  SLICE                      WHY
  ` + "\x1b[32mcreate\x1b[0m" + `  web-ipv4                   EndpointsAdded, EndpointsRemoved, HintsChanged
  keep    web-f00d-with-a-long-name
`},
	} {
		want := strings.ReplaceAll(row.want[1:], "-     \n", "-\n")
		var drop []string
		if row.width == 50 {
			drop = []string{"SLICE"}
		}
		if got := printed(row.width, row.colours, drop...); got != want {
			t.Errorf("width %d, colours %v:\n%s", row.width, row.colours, got)
		}
	}
}

// TestTableFits: no line is wider than the terminal, down to what the columns need at least, and no text is lost.
func TestTableFits(t *testing.T) {
	whole := letters(printed(0, false))
	for width := 30; width < 90; width++ {
		text := printed(width, false)
		for line := range strings.Lines(text) {
			if len(strings.TrimSuffix(line, "\n")) > width {
				t.Errorf("width %d: %s", width, line)
			}
		}
		if got := letters(text); got != whole {
			t.Errorf("width %d: %s, want %s", width, got, whole)
		}
	}
}

// letters are those of a text, sorted.
func letters(text string) string {
	all := []byte(strings.Join(strings.Fields(text), ""))
	slices.Sort(all)
	return string(all)
}

// TestPipe: a file has neither colours nor a width, whatever the environment says.
func TestPipe(t *testing.T) {
	t.Setenv("COLUMNS", "20")
	file, err := os.Create(t.TempDir() + "/out")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if out := NewOutput(file); out.Width != 0 || out.Colours || IsTerminal(file) {
		t.Errorf("a file has %d columns, colours %v", out.Width, out.Colours)
	}
	line := NewProgress(file)
	line.Show("here")
	line.Clear()
	if info, err := file.Stat(); err != nil || info.Size() > 0 || line.Seen() {
		t.Errorf("a file shows progress: %v, %v", info, err)
	}
}

// TestTerminal: COLUMNS and NO_COLOR count on a terminal.
func TestTerminal(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no terminal here: %v", err)
	}
	defer terminal.Close()
	t.Setenv("COLUMNS", "77")
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	if out := NewOutput(terminal); out.Width != 77 || !out.Colours {
		t.Errorf("a terminal has %d columns, colours %v", out.Width, out.Colours)
	}
	line := NewProgress(terminal)
	line.Show("here\n")
	line.Clear()
	if !line.Seen() {
		t.Error("a terminal shows no progress")
	}
	for _, name := range []string{"NO_COLOR", "TERM"} {
		t.Setenv(name, "dumb")
		if out := NewOutput(terminal); out.Colours {
			t.Errorf("%s does not turn colours off", name)
		}
	}
}
