package conformance

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slicewright/slicewright/internal/test/check/form"
	"github.com/slicewright/slicewright/internal/test/measure"
)

// BenchmarkReconcile is for benchstat -col /impl: from the Service, its Pods and the Nodes to recorded writes.
func BenchmarkReconcile(b *testing.B) {
	benchmarkSides(b, BenchCases, BenchSizes, []string{KubernetesSide, SlicewrightSide, CompactSide}, BenchRuns)
}

// BenchmarkHints is the part that decides hints, alone.
func BenchmarkHints(b *testing.B) {
	benchmarkSides(b, HintCases, HintSizes, []string{KubernetesSide, SlicewrightSide}, HintRuns)
}

// benchmarkSides makes the input only where -bench selects some side, because that takes longer than to measure most of them.
func benchmarkSides(b *testing.B, cases []string, sizes []int, sides []string, runsOf func(string, int) ([]Run, error)) {
	for _, kind := range cases {
		for _, n := range sizes {
			input := sync.OnceValues(func() ([]Run, error) { return runsOf(kind, n) })
			for _, side := range sides {
				b.Run(fmt.Sprintf("impl=%s/case=%s/n=%d", side, kind, n), func(b *testing.B) {
					runs, err := input()
					if err != nil {
						b.Fatal(err)
					}
					i := slices.IndexFunc(runs, func(r Run) bool { return r.Side == side })
					if i < 0 {
						b.Skip("not measured: Kubernetes with more Pods would take minutes")
					}
					b.ReportMetric(benchmark(b, runs[i].Do)/float64(n), "cpu-ns/endpoint")
				})
			}
		}
	}
}

// benchmark reports processor time beside that on the clock, since another process can slow only the latter down. It returns
// the nanoseconds of an operation.
func benchmark(b *testing.B, do func()) float64 {
	b.ReportAllocs()
	var start time.Duration
	for begun := false; b.Loop(); begun = true {
		if !begun {
			start = measure.CPUTime()
		}
		do()
	}
	used := float64(measure.CPUTime()-start) / float64(b.N)
	b.ReportMetric(used, "cpu-ns/op")
	return used
}

// TestBenchmarked checks that what is measured is what it says: nothing to write, or something, with no more writes by
// slicewright than by the reference, on input that neither changes.
func TestBenchmarked(t *testing.T) {
	for _, kind := range BenchCases {
		c, err := BenchCluster(kind, 1000)
		if err != nil {
			t.Fatal(err)
		}
		before := copies(c.Slices)
		ref, err := NewReference(c).Reconcile(c, c.selected(), c.live())
		if err != nil {
			t.Fatal(err)
		}
		ours, _, err := plan(c, c.Pods, c.weights(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(ours) > len(ref) || (len(ours) == 0) != (kind == "noop" || kind == "hints") {
			t.Errorf("%s: %d and %d writes", kind, len(ref), len(ours))
		}
		for range 2 {
			same, _, err := plan(c, c.selected(), c.weights(), nil)
			if err != nil || !cmp.Equal(same, ours) {
				t.Errorf("%s: on Pods that are selected: %v %s", kind, err, cmp.Diff(ours, same))
			}
		}
		for i, s := range c.Slices {
			if form.ShowSlice(s) != form.ShowSlice(before[i]) {
				t.Errorf("%s: %s was changed", kind, s.Name)
			}
		}
	}
	if c, err := BenchCluster("hints", 1000); err != nil || c.Slices[0].Endpoints[0].Hints == nil {
		t.Errorf("hints: the slices have none, error %v", err)
	}
}
