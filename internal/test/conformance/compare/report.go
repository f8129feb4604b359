package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/slicewright/slicewright/internal/test/conformance"
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
	cluster []measured // of one Service on average
	hints   []measured
	rolls   []conformance.Tally // by side
}

// measured has the figures of each side, by its name.
type measured struct {
	kind string
	n    int
	by   map[string]conformance.Figures
}

// sides are those of a sync and of the rolling world, in the order of columns.
var sides = []conformance.Side{conformance.ByReference, conformance.BySlicewright, conformance.Recommended}

func (o *options) measure() (*results, error) {
	r := &results{options: o}
	var err error
	if r.syncs, err = o.measureAll(conformance.BenchCases, conformance.BenchSizes, conformance.BenchRuns); err != nil {
		return nil, err
	}
	if r.hints, err = o.measureAll(conformance.HintCases, conformance.HintSizes, conformance.HintRuns); err != nil {
		return nil, err
	}
	if r.cluster, err = o.measureCluster(); err != nil {
		return nil, err
	}
	r.rolls, err = conformance.Roll(o.seed, o.steps, o.pods, sides...)
	return r, err
}

// measureAll measures all sides of each case and size in turn.
func (o *options) measureAll(
	cases []string, sizes []int, runsOf func(string, int) ([]conformance.Run, error),
) ([]measured, error) {
	var all []measured
	for _, kind := range cases {
		for _, n := range sizes {
			if n > o.largest {
				continue
			}
			runs, err := runsOf(kind, n)
			if err != nil {
				return nil, err
			}
			operations := make([]func(), len(runs))
			for i, run := range runs {
				operations[i] = run.Do
			}
			m := measured{kind, n, map[string]conformance.Figures{}}
			for i, f := range conformance.Measure(o.rounds, o.round, operations...) {
				m.by[runs[i].Side] = f
			}
			all = append(all, m)
		}
	}
	return all, nil
}

// measureCluster measures a resync of all Services of a cluster, and of the small ones.
func (o *options) measureCluster() ([]measured, error) {
	all, err := conformance.NewServices("resync", o.services, o.seed)
	if err != nil {
		return nil, err
	}
	var list []measured
	for _, part := range []struct {
		name string
		*conformance.Services
	}{{"resync of a cluster, each Service", all}, {"its Services of 1 to 3 Pods, each", all.Small()}} {
		theirs := part.Kubernetes()
		must := func(sync func(workers int) (int, error)) func() {
			return func() {
				if n, err := sync(1); n != 0 || err != nil {
					panic(fmt.Sprint("nothing changed, and there are ", n, " writes: ", err))
				}
			}
		}
		m := measured{part.name, part.Len(), map[string]conformance.Figures{}}
		for i, f := range conformance.Measure(o.rounds, o.round, must(theirs), must(part.BySlicewright)) {
			n := part.Len()
			side := []string{conformance.KubernetesSide, conformance.SlicewrightSide}[i]
			m.by[side] = conformance.Figures{CPU: f.CPU / time.Duration(n), Allocs: f.Allocs / float64(n), Bytes: f.Bytes / float64(n)}
		}
		list = append(list, m)
	}
	return list, nil
}

// origin says when, where and with what the figures came to be.
func (r *results) origin() string {
	return fmt.Sprintf("Measured on %s with %s, %s on %s/%s: both libraries in one process, on the same inputs.",
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
	fmt.Fprintf(&b, "%s\n\nOne sync, from the Service, the Pods and slices that listers find for it, and the Nodes, to writes:\n\n", r.origin())
	b.WriteString(table(
		[]string{"Changed", "Pods", "Kubernetes", "Slicewright", "as recommended", "less time", "fewer allocations"},
		longRows(r.syncs, syncWords, conformance.KubernetesSide, conformance.SlicewrightSide, conformance.CompactSide)))
	b.WriteString("\nOne decision about hints in topology mode Auto, 100 endpoints in a slice:\n\n")
	b.WriteString(table([]string{"Hints", "Endpoints", "Kubernetes", "Slicewright", "less time", "fewer allocations"},
		longRows(r.hints, hintWords, conformance.KubernetesSide, conformance.SlicewrightSide)))
	b.WriteString("\nA resync that finds nothing to do, of Services that take turns:\n\n")
	b.WriteString(table([]string{"", "Kubernetes", "Slicewright", "less time"}, r.clusterRows()))
	fmt.Fprintf(&b, "\n%s:\n\n", r.world())
	b.WriteString(table([]string{"All steps together", "Kubernetes", "Slicewright", "as recommended"}, r.rollRows()))
	fmt.Fprintf(&b, "\nAs recommended: packing compact, thresholds 10/20/30.\n")
	return b.String()
}

var (
	syncWords = map[string]string{
		"noop": "nothing", "one": "one Pod", "roll": "1% of the Pods", "ports": "the target port", "hints": "nothing, with hints",
	}
	hintWords = map[string]string{"noop": "as they were", "roll": "10% of the slices written", "first": "all new"}
)

// longRows makes a row of each case and size: the figures of some sides, and how much less than Kubernetes. A
// cell is empty where a side was not measured.
func longRows(list []measured, words map[string]string, sides ...string) [][]string {
	var rows [][]string
	for _, m := range list {
		row := []string{words[m.kind], count(m.n)}
		for _, side := range sides {
			row = append(row, m.figures(side))
		}
		ours := m.by[conformance.SlicewrightSide]
		if ref, ok := m.by[conformance.KubernetesSide]; ok {
			rows = append(rows, append(row, times(over(ref, ours)), times(ref.Allocs/ours.Allocs)))
		} else {
			rows = append(rows, append(row, "", ""))
		}
	}
	return rows
}

// over is how many times the processor time of b that of a is.
func over(a, b conformance.Figures) float64 { return float64(a.CPU) / float64(b.CPU) }

// figures is a cell: those of a side, and nothing for one that was not measured.
func (m *measured) figures(side string) string {
	if f, ok := m.by[side]; ok {
		return figures(f)
	}
	return ""
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
