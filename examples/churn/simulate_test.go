package main

import (
	"maps"
	"testing"
	"time"

	"github.com/slicewright/slicewright/examples/internal/cost"
	"github.com/slicewright/slicewright/internal/trace"
	"github.com/slicewright/slicewright/slicer"
)

// TestWhatIsThere: after every plan the slices have the Pods that are there, each once, and a batch
// period changes only when that is planned: the last plan has the same Pods.
func TestWhatIsThere(t *testing.T) {
	for _, m := range trace.Makers {
		var ends []map[string]bool
		for _, period := range []time.Duration{0, 7 * time.Second} {
			c := newCluster(slicer.Options{MaxEndpointsPerSlice: 7, Packing: slicer.Compact})
			var has map[string]bool
			for i, r := range batched(m.Make(25, 1).Rounds, period) {
				c.change(r)
				plan, err := slicer.Compute(c.input, c.slices)
				if err != nil {
					t.Fatal(err)
				}
				c.write(plan)
				has = map[string]bool{}
				count := 0
				for _, s := range c.slices {
					for j := range s.Endpoints {
						has[s.Endpoints[j].Addresses[0]] = true
						count++
					}
				}
				for n := range c.pods {
					if !has[endpoint(n).Addresses[0]] {
						t.Fatalf("%s, round %d: Pod %d is missing", m.Name, i, n)
					}
				}
				if count != len(c.pods) || cost.Of(plan, 1).Objects != len(c.slices) {
					t.Fatalf("%s, round %d: %d endpoints in %d slices for %d Pods", m.Name, i, count, len(c.slices), len(c.pods))
				}
			}
			ends = append(ends, has)
		}
		if !maps.Equal(ends[0], ends[1]) {
			t.Errorf("%s: a batch period leaves other Pods", m.Name)
		}
	}
}
