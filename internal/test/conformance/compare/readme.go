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

// summary is what the README shows: of the long tables the rows that say most, the worst among them.
func (r *results) summary() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s Processor time and allocations of one sync. "+
		"The cluster has %s Services, six of ten with 1 to 3 Pods.\n\n", r.origin(), count(r.options.services))
	rows := append(r.clusterRows(), r.syncRows()...)
	b.WriteString(table([]string{"", "Kubernetes", "Slicewright", "less time"}, rows))
	fmt.Fprintf(&b, "\nA loop over one Service finds its data in the processor's caches; Services that take turns do not. "+
		"The same command lets both roll through %s:\n\n", r.world())
	rows = nil
	for _, row := range r.rollRows() {
		if slices.Contains([]string{"writes", "endpoints moved to another slice", "endpoints missing between two writes", "slices left"}, row[0]) {
			rows = append(rows, row)
		}
	}
	b.WriteString(table([]string{"", "Kubernetes", "in place", "compact, thresholds 10/20/30"}, rows))
	return b.String()
}

// clusterRows are a resync of a whole cluster, for each Service.
func (r *results) clusterRows() [][]string {
	var rows [][]string
	for _, m := range r.cluster {
		rows = append(rows, m.row(m.kind))
	}
	return rows
}

// syncRows are syncs of one Service in a loop, from small to large, and the decision about hints at which Slicewright gains
// least.
func (r *results) syncRows() [][]string {
	var rows [][]string
	for _, m := range r.syncs {
		if m.kind == "noop" && slices.Contains([]int{3, 10, 100, 1000, 10000}, m.n) || m.kind == "roll" && m.n == 10000 {
			rows = append(rows, m.row(fmt.Sprintf("changed: %s, %s Pods", syncWords[m.kind], count(m.n))))
		}
	}
	for _, m := range r.hints {
		if m.kind == "first" && m.n == 100 {
			rows = append(rows, m.row("only hints: all new, 100 endpoints"))
		}
	}
	return rows
}

// row has the figures of both sides, and how much less time Slicewright takes.
func (m *measured) row(name string) []string {
	theirs, ours := m.by[conformance.KubernetesSide], m.by[conformance.SlicewrightSide]
	return []string{name, figures(theirs), figures(ours), times(over(theirs, ours))}
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
	world  = regexp.MustCompile(`\d[\d ]* (steps|Pods[.:]|Services)`)
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
