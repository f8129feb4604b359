package commandline

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// TestExit: each of joined errors is on a line of its own.
func TestExit(t *testing.T) {
	var stderr strings.Builder
	code := Exit("test", errors.Join(errors.New("one"), errors.New("two")), &stderr)
	if code != 1 || stderr.String() != "test: one\ntest: two\n" {
		t.Errorf("exit code %d: %s", code, &stderr)
	}
}

// TestVisible: no character of the input reaches a terminal unless it can be seen, and no line is
// forged.
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
	want := "{\n \"a\\u009b\\udb40\\udc01\": 1\n}"
	if got := visibleJSON("{\n \"a\u009b\U000e0001\": 1\n}"); got != want {
		t.Errorf("JSON is not the same: %q, want %q", got, want)
	}
}

// TestTable: columns are as wide as they must be, those that are empty are left out, and the first
// cell of a line has its colour where there are some.
func TestTable(t *testing.T) {
	for colours, heading := range map[bool]string{false: "  ACTION", true: "  \x1b[1mACTION\x1b[0m"} {
		var text strings.Builder
		out := NewOutput(&text)
		out.Colours = colours
		table := &Table{Indent: "  "}
		table.Row(Bold, "ACTION", "", "SLICE", "WHY")
		table.Row("", "create", "", "web-ipv4", "EndpointsAdded")
		table.Row("", "keep", "", "web-f00d-with-a-long-name", "")
		table.Print(out)
		out.Close()
		want := heading + `  SLICE                      WHY
  create  web-ipv4                   EndpointsAdded
  keep    web-f00d-with-a-long-name
`
		if got := text.String(); got != want {
			t.Errorf("colours %v:\n%s", colours, got)
		}
	}
}

// TestColours: a terminal has colours unless NO_COLOR or TERM turns them off, and a file has none.
func TestColours(t *testing.T) {
	file, err := os.Create(t.TempDir() + "/out")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if NewOutput(file).Colours {
		t.Error("a file has colours")
	}
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no terminal here: %v", err)
	}
	defer terminal.Close()
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	if !NewOutput(terminal).Colours {
		t.Error("a terminal has no colours")
	}
	for _, name := range []string{"NO_COLOR", "TERM"} {
		t.Setenv(name, "dumb")
		if NewOutput(terminal).Colours {
			t.Errorf("%s does not turn colours off", name)
		}
	}
}

func TestBytes(t *testing.T) {
	for bytes, want := range map[int64]string{
		0: "0 B", 999: "999 B", 1000: "1.0 kB", 1999: "1.9 kB", 999_999: "999.9 kB", 10_000_000_000: "10.0 GB", 1 << 62: "4.6 EB",
	} {
		if got := Bytes(bytes); got != want {
			t.Errorf("%d bytes are %q, want %q", bytes, got, want)
		}
	}
}
