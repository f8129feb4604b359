package conformance

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// benchSides names the first of the runs.
var benchSides = []string{"reference", "slicewright"}

// BenchmarkReconcile is for benchstat -col /impl: from the Service, its Pods and the Nodes to recorded writes.
func BenchmarkReconcile(b *testing.B) { benchmark(b, BenchCases, BenchRuns) }

// BenchmarkHints is the part that decides hints, alone.
func BenchmarkHints(b *testing.B) { benchmark(b, HintCases, HintRuns) }

// benchmark reports processor time beside that on the clock, since another process can slow only the latter down.
func benchmark(b *testing.B, cases []string, runsOf func(string, int) ([]func(), error)) {
	for _, kind := range cases {
		for _, n := range BenchSizes {
			runs, err := runsOf(kind, n)
			if err != nil {
				b.Fatal(err)
			}
			for i, side := range benchSides {
				b.Run(fmt.Sprintf("impl=%s/case=%s/n=%d", side, kind, n), func(b *testing.B) { benchmarkRun(b, n, runs[i]) })
			}
		}
	}
}

func benchmarkRun(b *testing.B, n int, run func()) {
	b.ReportAllocs()
	var start time.Duration
	for first := true; b.Loop(); first = false {
		if first {
			start = cpuTime()
		}
		run()
	}
	used := float64(cpuTime()-start) / float64(b.N)
	b.ReportMetric(used, "cpu-ns/op")
	b.ReportMetric(used/float64(n), "cpu-ns/endpoint")
}

// TestBenchmarked checks that what is measured is what it says: nothing to write, or something, with no more writes by
// slicewright than by the reference, and on input that neither changes.
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
		ours := must(t, c, BySlicewright)
		if len(ours) > len(ref) || (len(ours) == 0) != (kind == "noop") {
			t.Errorf("%s: %d and %d writes", kind, len(ref), len(ours))
		}
		w := &Worker{}
		for range 2 {
			same, err := w.Reconcile(c, c.selected())
			if err != nil || !cmp.Equal(same, ours) {
				t.Errorf("%s: on Pods that are selected: %v %s", kind, err, cmp.Diff(ours, same))
			}
		}
		for i, s := range c.Slices {
			if describeSlice(s) != describeSlice(before[i]) {
				t.Errorf("%s: %s was changed", kind, s.Name)
			}
		}
	}
}

// TestMeasure checks that the figures are of the operations, each of its own.
func TestMeasure(t *testing.T) {
	var sink []byte
	f := Measure(2, time.Millisecond, func() {}, func() { sink = make([]byte, 1<<20) })
	if f[0].Bytes > 1<<10 || f[1].Bytes < 1<<20 || f[1].Allocs < 1 || f[1].CPU <= 0 || len(sink) == 0 {
		t.Errorf("%+v", f)
	}
}
