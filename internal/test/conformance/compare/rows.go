package main

import (
	"slices"
	"time"

	"github.com/slicewright/slicewright/internal/test/bench"
	"github.com/slicewright/slicewright/internal/test/conformance"
)

// results are all figures.
type results struct {
	options *options
	rows    []measured
	factors []factors
}

// measured is one row: the figures of Kubernetes, of Slicewright and of the floor, one for each
// run. Without a floor, its list is nil.
type measured struct {
	name                string
	theirs, ours, floor []conformance.Figures
}

// measure measures a cluster, syncs of one Service in a loop with nothing and with something to
// write, from small to large, and the decision about hints, which gains least.
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
		{"3 Pods, nothing changed", bench.Nothing, 3},
		{"3 Pods, one Pod replaced", bench.OnePod, 3},
		{"100 Pods, nothing changed", bench.Nothing, 100},
		{"100 Pods, one Pod replaced", bench.OnePod, 100},
		{"1 000 Pods, nothing changed", bench.Nothing, 1000},
		{"1 000 Pods, one Pod replaced", bench.OnePod, 1000},
		{"10 000 Pods, 1% of them replaced", bench.OnePercent, 10000},
	} {
		s := bench.Services(1, row.pods, "").After(row.change)[0]
		operations, err := conformance.SyncRuns(s)
		if err != nil {
			return nil, err
		}
		r.add(row.name, 1, operations, factorOperations([]*bench.Sync{s})[1])
	}
	r.add("only computing hints, for 100 endpoints that have none", 1,
		conformance.HintRuns(bench.Services(1, 100, "")[0]), nil)
	r.factors = o.measureFactors()
	return r, nil
}

// measureCluster measures a resync of all Services of a cluster, and of the small ones.
func (r *results) measureCluster() error {
	all := bench.Drawn(r.options.services).After(bench.Nothing)
	small := slices.DeleteFunc(slices.Clone(all), func(s *bench.Sync) bool { return len(s.Pods) > 3 })
	for _, part := range []struct {
		name string
		of   []*bench.Sync
	}{{"resync of the whole cluster, time for each Service", all}, {"the same, only Services of 1 to 3 Pods", small}} {
		operations, err := conformance.ResyncRuns(part.of)
		if err != nil {
			return err
		}
		r.add(part.name, len(part.of), operations, nil)
	}
	return nil
}

// add measures Kubernetes' operation, ours and the floor in turn, each of which does n things, and
// adds a row about one of them.
func (r *results) add(name string, n int, operations []conformance.Run, floor func()) {
	row := measured{name: name}
	for range r.options.runs {
		do := []func(){operations[0].Do, operations[1].Do}
		if floor != nil {
			do = append(do, floor)
		}
		f := conformance.Measure(r.options.rounds, r.options.round, do...)
		for i := range f {
			f[i].CPU /= time.Duration(n)
			f[i].Allocs /= float64(n)
		}
		row.theirs = append(row.theirs, f[0])
		row.ours = append(row.ours, f[1])
		if floor != nil {
			row.floor = append(row.floor, f[2])
		}
	}
	r.rows = append(r.rows, row)
}

// ratios returns the time of one list of figures relative to another, run by run.
func ratios(over, under []conformance.Figures) []float64 {
	all := make([]float64, len(over))
	for i := range over {
		all[i] = float64(over[i].CPU) / float64(under[i].CPU)
	}
	return all
}

// medianTime returns the median of the times of all runs.
func medianTime(of []conformance.Figures) time.Duration {
	all := make([]time.Duration, len(of))
	for i := range of {
		all[i] = of[i].CPU
	}
	return median(all)
}

// median returns the middle of the values. Of an even number of values it is the larger one of the
// two in the middle.
func median[T float64 | time.Duration](values []T) T {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}
