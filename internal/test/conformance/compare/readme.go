package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/slicewright/slicewright/internal/test/conformance"
)

const (
	begin = "<!-- compare: written by internal/test/conformance/compare -->\n"
	end   = "<!-- compare: end -->\n"
)

// summary is what the README shows: of the long tables the six rows that say most.
func (r *results) summary() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.origin())
	fmt.Fprintf(&b, "The first two rows are one sync of 10 000 Pods, without the informer's List; the limit reads every field once. "+
		"The other rows are totals of %s.\n", r.world())
	b.WriteString("All rows, and more: `cd internal/test/conformance && go run ./compare -readme ../../../README.md`. " +
		"What else differs in the plans of both has the number of a deviation (`TestDifferential`).\n\n")
	var rows [][]string
	for _, kind := range []string{"noop", "roll"} {
		rows = append(rows, r.syncRow(kind))
	}
	for _, row := range r.rollRows() {
		if slices.Contains([]string{"writes", "endpoints moved to another slice", "endpoints missing between two writes", "slices left"}, row[0]) {
			rows = append(rows, row)
		}
	}
	b.WriteString(table([]string{"", "Kubernetes", "Slicewright", "compact, thresholds 10/20/30"}, rows))
	return b.String()
}

// syncRow is the row of a sync of 10 000 Pods: for each side its figures and, where it was measured, how many times the limit
// that is.
func (r *results) syncRow(kind string) []string {
	row := []string{"sync, changed: " + syncWords[kind]}
	for _, m := range r.syncs {
		if m.n != 10000 || m.kind != kind {
			continue
		}
		limit, limited := m.by[conformance.LimitSide]
		for _, side := range []string{conformance.KubernetesSide, conformance.SlicewrightSide, conformance.CompactSide} {
			f := m.by[side]
			cell := figures(f)
			if limited && kind == "noop" {
				cell += ", " + times(over(f, limit)) + " the limit"
			}
			row = append(row, cell)
		}
	}
	return row
}

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

// checkIn compares what is between the markers of a file with a text, figures apart.
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
		return fmt.Errorf("%s: the comparison is not what this command writes. Run it with -readme. It has\n%s\nand not\n%s", file, has, want)
	}
	return nil
}

var (
	world  = regexp.MustCompile(`\d[\d ]* (steps|Pods\.)`)
	figure = regexp.MustCompile(`\d[\d .]*(ms|µs|MB|kB)?`)
	origin = regexp.MustCompile(`Measured on .*`)
)

// withoutFigures leaves the words, and the names of rows as they are.
func withoutFigures(text string) string {
	text = origin.ReplaceAllString(text, "Measured")
	text = world.ReplaceAllString(text, "# $1")
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if cells := strings.SplitN(line, " | ", 2); len(cells) == 2 && !strings.Contains(line, "Kubernetes") {
			lines[i] = cells[0] + " | " + figure.ReplaceAllString(cells[1], "#")
		}
	}
	return strings.Join(lines, "\n")
}
