package hints_test

import (
	"fmt"
	"testing"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/gen"
)

// BenchmarkAssign measures the modes that decide over all slices: for endpoints that have no hints
// yet, and for endpoints that have them.
func BenchmarkAssign(b *testing.B) {
	_, _, nodes := gen.Pods(0, 1)
	weights := hints.NodeWeights(nodes, nil)
	for name, o := range map[string]hints.Options{
		"proportional": {Mode: hints.Proportional, Weights: weights},
		"limit":        {Mode: hints.SameZone, Limit: 50, Weights: weights},
	} {
		for _, n := range []int{3, 100, 1000} {
			var in []hints.Slice
			for _, s := range gen.Service(n).Existing {
				in = append(in, hints.Slice{Name: s.Name, Endpoints: s.Endpoints, Written: true})
			}
			assign := func(in []hints.Slice) func(b *testing.B) {
				return func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if _, _, err := hints.Assign(o, in); err != nil {
							b.Fatal(err)
						}
					}
				}
			}
			changes, _, err := hints.Assign(o, in)
			if err != nil || n > 3 && len(changes) != n {
				b.Fatal(len(changes), err)
			}
			hinted, _ := after(in, changes)
			b.Run(fmt.Sprintf("mode=%s/endpoints=%d/hinted=none", name, n), assign(in))
			b.Run(fmt.Sprintf("mode=%s/endpoints=%d/hinted=all", name, n), assign(hinted))
		}
	}
}
