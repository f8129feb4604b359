package hinting_test

import (
	"fmt"
	"testing"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/hinting"
	"github.com/slicewright/slicewright/internal/test/gen"
)

// BenchmarkAssign measures the modes that decide over all slices: for endpoints that have no hints
// yet, and for endpoints that have them.
func BenchmarkAssign(b *testing.B) {
	_, _, nodes := gen.Pods(0, 1)
	weights := hinting.Weights(hints.NodeWeights(nodes, nil))
	for name, o := range map[string]hinting.Options{
		"auto":  {Mode: hinting.Auto, Weights: weights},
		"limit": {Mode: hinting.PreferSameZone, Limit: 50, Weights: weights},
	} {
		for _, n := range []int{3, 100, 1000} {
			var in []hinting.Slice
			for _, s := range gen.Service(n).Existing {
				in = append(in, hinting.Slice{Name: s.Name, Endpoints: s.Endpoints, Written: true})
			}
			assign := func(in []hinting.Slice) func(b *testing.B) {
				return func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if _, _, err := hinting.Assign(o, in); err != nil {
							b.Fatal(err)
						}
					}
				}
			}
			changes, _, err := hinting.Assign(o, in)
			if err != nil || n > 3 && len(changes) != n {
				b.Fatal(len(changes), err)
			}
			hinted, _ := after(in, changes)
			b.Run(fmt.Sprintf("mode=%s/endpoints=%d/hinted=none", name, n), assign(in))
			b.Run(fmt.Sprintf("mode=%s/endpoints=%d/hinted=all", name, n), assign(hinted))
		}
	}
}
