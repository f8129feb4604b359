package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

const (
	begin = "<!-- compare: written by internal/test/conformance/compare -->\n"
	end   = "<!-- compare: end -->\n"
)

// page is a file, by its path from the root of the repository, and what stands between its markers.
type page struct{ file, text string }

func (p page) in(root string) string { return filepath.Join(root, filepath.FromSlash(p.file)) }

// section finds what is between the markers.
func section(text string) (before, inside, after string, err error) {
	i := strings.Index(text, begin)
	j := strings.Index(text, end)
	if i < 0 || j < i {
		return "", "", "", fmt.Errorf("no lines %q and %q", strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	i += len(begin)
	return text[:i], text[i:j], text[j:], nil
}

// replaceIn puts a text between the markers of a file.
func replaceIn(file, text string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, _, after, err := section(string(data))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, []byte(before+text+after), 0o666)
}

// checkIn compares what is between the markers of a file with a text, except for the figures.
func checkIn(file, text string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	_, inside, _, err := section(string(data))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if has, want := withoutFigures(inside), withoutFigures(text); has != want {
		return fmt.Errorf("%s: the tables are not those of this command. Run it with -write. The file has\n%s\nand "+
			"not\n%s", file, has, want)
	}
	return nil
}

var (
	size   = regexp.MustCompile(`\d[\d ]* Services`)
	figure = regexp.MustCompile(`\d[\d .]*(ms|µs|MB|kB)?`)
	origin = regexp.MustCompile(`Measured on .*`)
)

// withoutFigures leaves the words, and the names of rows as they are.
func withoutFigures(text string) string {
	text = origin.ReplaceAllString(text, "Measured")
	text = size.ReplaceAllString(text, "# Services")
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if cells := strings.SplitN(line, " | ", 2); len(cells) == 2 && !strings.Contains(line, "Kubernetes") {
			lines[i] = cells[0] + " | " + figure.ReplaceAllString(cells[1], "#")
		}
	}
	return strings.Join(lines, "\n")
}
