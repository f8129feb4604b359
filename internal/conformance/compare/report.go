package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/slicewright/slicewright/internal/conformance"
)

func (o *options) report(out io.Writer) error {
	r, err := o.measure()
	if err != nil {
		return err
	}
	if _, err := io.WriteString(out, r.long()); err != nil {
		return err
	}
	if o.readme != "" {
		if err := replaceIn(o.readme, r.summary()); err != nil {
			return err
		}
	}
	if o.check != "" {
		return checkIn(o.check, r.summary())
	}
	return nil
}

// results are all figures, by the names of cases and sizes.
type results struct {
	options *options
	syncs   []measured
	hints   []measured
	rolls   []conformance.Tally // by side
}

// measured is one row: the reference, the library, and the library as recommended, where that differs.
type measured struct {
	kind string
	n    int
	by   []conformance.Figures
}

// sides are those of a sync and of the rolling world, in the order of columns.
var sides = []conformance.Side{conformance.ByReference, conformance.BySlicewright, conformance.Recommended}

func (o *options) measure() (*results, error) {
	r := &results{options: o}
	for _, kind := range conformance.BenchCases {
		for _, n := range conformance.BenchSizes {
			runs, err := conformance.BenchRuns(kind, n)
			if err != nil {
				return nil, err
			}
			r.syncs = append(r.syncs, measured{kind, n, conformance.Measure(o.rounds, o.round, runs...)})
		}
	}
	for _, kind := range conformance.HintCases {
		for _, n := range conformance.BenchSizes {
			runs, err := conformance.HintRuns(kind, n)
			if err != nil {
				return nil, err
			}
			r.hints = append(r.hints, measured{kind, n, conformance.Measure(o.rounds, o.round, runs...)})
		}
	}
	var err error
	r.rolls, err = conformance.Roll(o.seed, o.steps, o.pods, sides...)
	return r, err
}

// origin says when, where and with what the figures came to be.
func (r *results) origin() string {
	return fmt.Sprintf("Measured on %s with %s, %s on %s/%s: the same inputs, one process.",
		time.Now().UTC().Format(time.DateOnly), module("k8s.io/endpointslice"), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func module(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return path
	}
	for _, m := range info.Deps {
		if m.Path == path {
			return m.Path + " " + m.Version
		}
	}
	return path
}

// long has all tables.
func (r *results) long() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nOne sync, from the Service, the Pods and slices that listers find for it, and the Nodes, to writes. Slicewright has\n`Selected`, as a worker does:\n\n", r.origin())
	b.WriteString(table(
		[]string{"Changed", "Pods", "Kubernetes", "Slicewright", "as recommended", "less time", "fewer allocations"}, longRows(r.syncs, syncWords)))
	b.WriteString("\nOne decision about hints in topology mode Auto, 100 endpoints in a slice:\n\n")
	b.WriteString(table([]string{"Hints", "Endpoints", "Kubernetes", "Slicewright", "less time", "fewer allocations"}, longRows(r.hints, hintWords)))
	fmt.Fprintf(&b, "\n%s:\n\n", r.world())
	b.WriteString(table([]string{"All steps together", "Kubernetes", "Slicewright", "as recommended"}, r.rollRows()))
	fmt.Fprintf(&b, "\nAs recommended: packing compact, thresholds 10/20/30.\n")
	return b.String()
}

var (
	syncWords = map[string]string{"noop": "nothing", "roll": "1% of the Pods", "ports": "the target port"}
	hintWords = map[string]string{"noop": "as they were", "roll": "10% of the slices written", "first": "all new"}
)

func longRows(list []measured, words map[string]string) [][]string {
	var rows [][]string
	for _, m := range list {
		row := []string{words[m.kind], count(m.n)}
		for _, f := range m.by {
			row = append(row, figures(f))
		}
		ref, ours := m.by[0], m.by[1]
		rows = append(rows, append(row, times(float64(ref.CPU)/float64(ours.CPU)), times(ref.Allocs/ours.Allocs)))
	}
	return rows
}

func (r *results) world() string {
	return fmt.Sprintf("%s steps of scaling, rolling, relabelling, new ports and lost Nodes, about %s Pods",
		count(r.options.steps), count(r.options.pods))
}

// rollRow is a row of the table about the rolling world.
type rollRow struct {
	name  string
	value func(conformance.Tally) string
}

func (r *results) rollRows() [][]string {
	rows := []rollRow{
		{"writes", func(t conformance.Tally) string { return count(t.Writes()) }},
		{"- creates, updates, deletes", func(t conformance.Tally) string {
			return strings.Join([]string{count(t.Creates), count(t.Updates), count(t.Deletes)}, ", ")
		}},
		{"protobuf bytes written", func(t conformance.Tally) string { return size(t.Bytes) }},
		{"endpoints moved to another slice", func(t conformance.Tally) string { return count(t.Moved) }},
		{"endpoints missing between two writes", func(t conformance.Tally) string { return count(t.Gone) }},
		{"hints changed of Pods that did not", func(t conformance.Tally) string { return count(t.Hints) }},
		{"slices left", func(t conformance.Tally) string { return count(t.Slices) }},
		{"- on average", func(t conformance.Tally) string {
			return fmt.Sprintf("%.1f", float64(t.SliceSteps)/float64(r.options.steps-1))
		}},
	}
	var cells [][]string
	for _, row := range rows {
		line := []string{row.name}
		for _, t := range r.rolls {
			line = append(line, row.value(t))
		}
		cells = append(cells, line)
	}
	return cells
}
