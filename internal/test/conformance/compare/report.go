package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/slicewright/slicewright/internal/test/bench"
	"github.com/slicewright/slicewright/internal/test/conformance"
)

func (o *options) report(out io.Writer) error {
	r, err := o.measure()
	if err != nil {
		return err
	}
	if _, err := io.WriteString(out, r.summary()); err != nil {
		return err
	}
	if o.readme != "" {
		if err := replaceIn(o.readme, r.summary()); err != nil {
			return err
		}
	}
	if o.check == "" {
		return nil
	}
	errs := []error{checkIn(o.check, r.summary())}
	for i := range r.factors {
		errs = append(errs, r.factors[i].check())
	}
	return errors.Join(errs...)
}

// results are all figures.
type results struct {
	options *options
	rows    []measured
	factors []factors
	rolls   []conformance.Tally // by side
}

// measured is a row: the figures of Kubernetes and of Slicewright.
type measured struct {
	name         string
	theirs, ours conformance.Figures
}

// sides are those of the rolling world, in the order of columns.
var sides = []conformance.Side{conformance.ByReference, conformance.BySlicewright, conformance.Recommended}

// measure measures a cluster, syncs of one Service in a loop, from small to large, and the decision about hints at which
// Slicewright gains least.
func (o *options) measure() (*results, error) {
	r := &results{options: o}
	if err := r.measureCluster(); err != nil {
		return nil, err
	}
	for _, row := range []struct {
		name   string
		change bench.Change
		pods   int
	}{
		{"nothing, 3 Pods", bench.Nothing, 3},
		{"nothing, 10 Pods", bench.Nothing, 10},
		{"nothing, 100 Pods", bench.Nothing, 100},
		{"nothing, 1 000 Pods", bench.Nothing, 1000},
		{"nothing, 10 000 Pods", bench.Nothing, 10000},
		{"1% of the Pods, 10 000 Pods", bench.OnePercent, 10000},
	} {
		runs, err := conformance.SyncRuns(bench.Services(1, row.pods, "").After(row.change)[0])
		if err != nil {
			return nil, err
		}
		r.add("changed: "+row.name, 1, runs)
	}
	r.add("only hints: all new, 100 endpoints", 1, conformance.HintRuns(bench.Services(1, 100, "")[0]))
	r.factors = o.measureFactors()
	var err error
	r.rolls, err = conformance.Roll(o.seed, o.steps, o.pods, sides...)
	return r, err
}

// add measures Kubernetes' operation and ours in turn, which do n things each, and adds a row about one of them.
func (r *results) add(name string, n int, runs []conformance.Run) {
	f := conformance.Measure(r.options.rounds, r.options.round, runs[0].Do, runs[1].Do)
	for i := range f {
		f[i].CPU, f[i].Allocs = f[i].CPU/time.Duration(n), f[i].Allocs/float64(n)
	}
	r.rows = append(r.rows, measured{name, f[0], f[1]})
}

// measureCluster measures a resync of all Services of a cluster, and of the small ones.
func (r *results) measureCluster() error {
	all := bench.Drawn(r.options.services).After(bench.Nothing)
	small := slices.DeleteFunc(slices.Clone(all), func(s *bench.Sync) bool { return len(s.Pods) > 3 })
	for _, part := range []struct {
		name string
		of   []*bench.Sync
	}{{"resync of a cluster, each Service", all}, {"its Services of 1 to 3 Pods, each", small}} {
		runs, err := conformance.ResyncRuns(part.of)
		if err != nil {
			return err
		}
		r.add(part.name, len(part.of), runs)
	}
	return nil
}

// origin says when, where and with what the figures came to be.
func (r *results) origin() string {
	return fmt.Sprintf("Measured on %s with %s, %s on %s/%s: both libraries in one process, on the same inputs.",
		time.Now().UTC().Format(time.DateOnly), module("k8s.io/endpointslice"), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func module(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == path {
				return m.Path + " " + m.Version
			}
		}
	}
	return path
}

// summary has all tables.
func (r *results) summary() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s Processor time and allocations of one sync. "+
		"The cluster has %s Services, six of ten with 1 to 3 Pods.\n\n", r.origin(), count(r.options.services))
	var rows [][]string
	for _, m := range r.rows {
		rows = append(rows, []string{m.name, figures(m.theirs), figures(m.ours), times(float64(m.theirs.CPU) / float64(m.ours.CPU))})
	}
	b.WriteString(table([]string{"", "Kubernetes", "Slicewright", "less time"}, rows))
	b.WriteString("\nA loop over one Service finds its data in the processor's caches; Services that take turns do not. " +
		"`go run ./compare` in internal/test/conformance prints all tables. " +
		"The next one says how far a sync is from the least possible work: `6.0 times 1 µs` is six times the time of " +
		"[a floor](internal/test/bench/floor.go), which compares each field of each endpoint and does nothing else.\n\n")
	b.WriteString(factorTable(r.factors))
	fmt.Fprintf(&b, "\nIn the last one both roll through %s steps of scaling, rolling, relabelling, new ports and lost Nodes, about %s Pods:\n\n",
		count(r.options.steps), count(r.options.pods))
	rows = nil
	for _, row := range []struct {
		name  string
		value func(conformance.Tally) int
	}{
		{"writes", func(t conformance.Tally) int { return t.Writes }},
		{"endpoints moved to another slice", func(t conformance.Tally) int { return t.Moved }},
		{"endpoints missing between two writes", func(t conformance.Tally) int { return t.Gone }},
		{"slices left", func(t conformance.Tally) int { return t.Slices }},
	} {
		cells := []string{row.name}
		for _, t := range r.rolls {
			cells = append(cells, count(row.value(t)))
		}
		rows = append(rows, cells)
	}
	b.WriteString(table([]string{"", "Kubernetes", "in place", "`Compact`, `Thresholds` 10/20/30"}, rows))
	return b.String()
}
