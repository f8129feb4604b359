package routing_test

import (
	"fmt"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/routing"
	"github.com/slicewright/slicewright/internal/test/gen"
)

var here = routing.Location{NodeName: "node-3", Zone: "zone-b"}

// hintedForOwnZone returns n endpoints in three zones, each with a hint for its own zone.
func hintedForOwnZone(n int) []dedup.Endpoint {
	all, _ := dedup.OnePort(gen.Service(n).Existing, "http", "", dedup.Options{})
	for i := range all {
		all[i].Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: all[i].Zone}}}
	}
	return all
}

// BenchmarkRoute measures what a reader in one of three zones does with the endpoints of a Service.
func BenchmarkRoute(b *testing.B) {
	for _, n := range []int{3, 100, 1000} {
		list := hintedForOwnZone(n)
		b.Run(fmt.Sprintf("endpoints=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if len(routing.Route(list, here, routing.Policy{})) == 0 {
					b.Fatal("no endpoint is chosen")
				}
			}
		})
	}
}

// TestRouteAllocates: the number of allocations does not grow with the number of endpoints.
func TestRouteAllocates(t *testing.T) {
	few, many := hintedForOwnZone(100), hintedForOwnZone(1000)
	for _, policy := range []routing.Policy{{}, {Near: routing.Node, AtLeast: 2}, {Local: true}} {
		count := func(list []dedup.Endpoint) float64 {
			return testing.AllocsPerRun(20, func() { routing.Route(list, here, policy) })
		}
		if n, m := count(few), count(many); m > n {
			t.Errorf("%+v: %v allocations for 100 endpoints, %v for 1000", policy, n, m)
		}
	}
}
