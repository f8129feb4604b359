package conformance

import (
	"fmt"
	"testing"
)

// BenchmarkReconcile is for benchstat -col /impl: from the Service, Pods and Nodes to recorded writes.
func BenchmarkReconcile(b *testing.B) {
	for _, kind := range BenchCases {
		for _, n := range BenchSizes {
			c, err := BenchCluster(kind, n)
			if err != nil {
				b.Fatal(err)
			}
			for _, side := range BenchSides {
				b.Run(fmt.Sprintf("impl=%s/case=%s/n=%d", side, kind, n), func(b *testing.B) { BenchReconcile(b, side, c) })
			}
		}
	}
}

// BenchmarkHints is the part that decides hints, alone.
func BenchmarkHints(b *testing.B) {
	for _, kind := range HintCases {
		for _, n := range BenchSizes {
			h, err := NewHinting(kind, n)
			if err != nil {
				b.Fatal(err)
			}
			for _, side := range BenchSides {
				b.Run(fmt.Sprintf("impl=%s/case=%s/n=%d", side, kind, n), func(b *testing.B) { BenchHints(b, side, h) })
			}
		}
	}
}

// TestBenchmarked checks that what is measured is what it says: nothing to write, few Pods, or everything,
// and as many writes by either side or fewer by slicewright.
func TestBenchmarked(t *testing.T) {
	for _, kind := range BenchCases {
		c, err := BenchCluster(kind, 1000)
		if err != nil {
			t.Fatal(err)
		}
		before := copies(c.Slices)
		var writes [2]int
		for i, side := range BenchSides {
			if _, writes[i], err = benchRun(side, c); err != nil {
				t.Fatal(err)
			}
		}
		if writes[0] > writes[1] || (writes[0] == 0) != (kind == "noop") {
			t.Errorf("%s: %d and %d writes", kind, writes[0], writes[1])
		}
		for i, s := range c.Slices {
			if describeSlice(s) != describeSlice(before[i]) {
				t.Errorf("%s: %s was changed", kind, s.Name)
			}
		}
	}
}
