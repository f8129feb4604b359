package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestFormat(t *testing.T) {
	for _, c := range []struct{ got, want, why string }{
		{count(7), "7", "no space before a first digit"},
		{count(974235), "974 235", "a space between thousands"},
		{count(1042664), "1 042 664", "and again"},
		{duration(19189909), "19.2 ms", "three digits"},
		{duration(131 * time.Millisecond), "131 ms", "three digits"},
		{duration(433017), "433 µs", "below a millisecond"},
		{duration(6255666), "6.26 ms", "three digits"},
		{times(25.74), "26x", "no digits that vary anyway"},
		{times(1.94), "1.9x", "one digit where it matters"},
		{table([]string{"a", "b"}, [][]string{{"1", "2"}}), "| a | b |\n| --- | --- |\n| 1 | 2 |\n", "what Markdown reads"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.why, c.got, c.want)
		}
	}
}

// TestReadme puts a section into a file, finds it right whatever the figures, and wrong where words differ.
func TestReadme(t *testing.T) {
	file := filepath.Join(t.TempDir(), "README.md")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const section = "Measured on 2026-11-20.\n500 steps\n| row of 10 | 1 024 | 3.5 ms |\n"
	write("no markers")
	if err := replaceIn(file, section); err == nil {
		t.Error("a file without markers is no error")
	}
	write("head\n" + begin + "old\n" + end + "tail\n")
	if err := replaceIn(file, section); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(file)
	if want := "head\n" + begin + section + end + "tail\n"; string(data) != want {
		t.Errorf("%q, want %q", data, want)
	}
	for _, c := range []struct {
		text string
		ok   bool
		why  string
	}{
		{"Measured on 2027-01-01.\n20 steps\n| row of 10 | 7 | 120 µs |\n", true, "figures do not count"},
		{"Measured on 2027-01-01.\n20 steps\n| row of 100 | 7 | 120 µs |\n", false, "a row is another one"},
		{"Measured on 2027-01-01.\n20 steps\n", false, "a row is missing"},
	} {
		if err := checkIn(file, c.text); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.why, err)
		}
	}
}

// TestMistakes: what makes no sense is refused. .ci/run runs everything with as little as possible.
func TestMistakes(t *testing.T) {
	for _, args := range [][]string{{"-steps", "1"}, {"what"}, {"-nonsense"}} {
		if err := run(args, io.Discard); err == nil {
			t.Errorf("%q is no error", args)
		}
	}
}
