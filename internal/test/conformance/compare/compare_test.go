package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestReadme puts a section into a file, finds it right whatever the figures, and wrong where words
// differ.
func TestReadme(t *testing.T) {
	file := filepath.Join(t.TempDir(), "README.md")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const section = "Measured on 2026-11-20.\n500 Services\n| row of 10 | 1 024 | 3.5 ms |\n"
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
		{"Measured on 2027-01-01.\n20 Services\n| row of 10 | 7 | 120 µs |\n", true, "figures do not count"},
		{"Measured on 2027-01-01.\n20 Services\n| row of 100 | 7 | 120 µs |\n", false, "a row is another one"},
		{"Measured on 2027-01-01.\n20 Services\n", false, "a row is missing"},
	} {
		if err := checkIn(file, c.text); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.why, err)
		}
	}
}

// TestMistakes: what makes no sense is refused. .ci/run runs everything with as little as possible.
func TestMistakes(t *testing.T) {
	for _, args := range [][]string{{"-runs", "0"}, {"what"}, {"-nonsense"}} {
		if err := run(args, io.Discard); err == nil {
			t.Errorf("%q is no error", args)
		}
	}
}
