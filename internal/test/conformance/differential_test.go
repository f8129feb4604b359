package conformance

import (
	"flag"
	"fmt"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/test/measure"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// TestDifferential gives random clusters to both sides. What the reference does with one and the same cluster differs
// from run to run, so that rapid may call a failure flaky: the message has all that there was to compare.
func TestDifferential(t *testing.T) {
	cases := nightly.Cases(t, 5000)
	if err := flag.Set("rapid.checks", strconv.Itoa(cases)); err != nil {
		t.Fatal(err)
	}
	used := map[Deviation]int{}
	rapid.Check(t, func(t *rapid.T) {
		needed, err := Compare(history(t))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range needed {
			used[d]++
		}
	})
	t.Log("cases in which deviations explain a difference:", used)
	for _, d := range deviations {
		if used[d] == 0 && cases >= 50_000 {
			t.Errorf("%s explains nothing in %d cases", d, cases)
		}
	}
}

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
