package conformance

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slicewright/slicewright/internal/test/check/form"
	"github.com/slicewright/slicewright/internal/test/measure"
)

// BenchmarkReconcile is for benchstat -col /impl: from the Service, its Pods and the Nodes to recorded writes. It reports processor time
// beside that on the clock, since another process can slow only the latter down.
func BenchmarkReconcile(b *testing.B) {
	for _, kind := range BenchCases {
		for _, n := range []int{1, 3, 10, 30, 100, 1000, 10000} {
			runs, err := BenchRuns(kind, n)
			if err != nil {
				b.Fatal(err)
			}
			for _, run := range runs {
				b.Run(fmt.Sprintf("impl=%s/case=%s/n=%d", run.Side, kind, n), func(b *testing.B) {
					b.ReportAllocs()
					start := measure.CPUTime()
					for b.Loop() {
						run.Do()
					}
					b.ReportMetric(float64(measure.CPUTime()-start)/float64(b.N), "cpu-ns/op")
				})
			}
		}
	}
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
		ours, err := plan(c, c.Pods)
		if err != nil {
			t.Fatal(err)
		}
		if len(ours) > len(ref) || (len(ours) == 0) != (kind == "noop") {
			t.Errorf("%s: %d and %d writes", kind, len(ref), len(ours))
		}
		for range 2 {
			same, err := plan(c, c.selected())
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
}
