package sequence

import (
	"fmt"
	"testing"

	"github.com/slicewright/slicewright/internal/test/measure"
)

// BenchmarkOrder measures Order if no slice waits, if every fourth slice waits for the next one, if
// all slices are in one chain, and if they wait for each other in many cycles.
func BenchmarkOrder(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		var some []Wait
		for v := 0; v < n-1; v += 4 {
			some = append(some, Wait{Later: v, Earlier: v + 1, Rank: Strict})
		}
		for _, waiting := range []struct {
			name  string
			waits []Wait
		}{
			{"none", nil}, {"some", some}, {"chain", chain(n, Strict)}, {"tangled", tangled(n)},
		} {
			b.Run(fmt.Sprintf("slices=%d/waits=%s", n, waiting.name), func(b *testing.B) {
				b.ReportAllocs()
				start := measure.CPUTime()
				for b.Loop() {
					if order := Order(n, waiting.waits, nil); len(order) != n {
						b.Fatal(len(order), " slices are ordered")
					}
				}
				b.ReportMetric(float64(measure.CPUTime()-start)/float64(b.N), "cpu-ns/op")
			})
		}
	}
}
