//go:build !race

// The race detector makes sync.Pool forget on purpose, so that allocations cannot be counted.

package routing_test

import (
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints/routing"
	"github.com/slicewright/slicewright/internal/test/bench"
)

// BenchmarkRoute measures what a reader in one of three zones does with the endpoints of a Service,
// each of which has a hint for its own zone.
func BenchmarkRoute(b *testing.B) {
	at := routing.Location{NodeName: "node-3", Zone: "b"}
	benchmarkRouting(b, func(list []*discoveryv1.Endpoint) int {
		return len(routing.Route(list, ipv4, at, routing.Policy{}).Endpoints)
	})
}

// BenchmarkFailover measures Failover on the same endpoints.
func BenchmarkFailover(b *testing.B) {
	at := routing.Location{NodeName: "node-3", Zone: "b"}
	benchmarkRouting(b, func(list []*discoveryv1.Endpoint) int {
		return len(routing.Failover(list, ipv4, at, routing.Policy{}))
	})
}

func benchmarkRouting(b *testing.B, route func(list []*discoveryv1.Endpoint) int) {
	bench.Cases{}.Run(b, func(b *testing.B, all []*bench.Sync) func(i int) {
		lists := make([][]*discoveryv1.Endpoint, len(all))
		for i, s := range all {
			lists[i] = bench.EndpointsOf(s.Hinted())
		}
		return func(i int) {
			if route(lists[i]) == 0 {
				b.Fatal("no endpoint is chosen")
			}
		}
	})
}

// TestRouteAllocates: the number of allocations does not grow with the number of endpoints.
func TestRouteAllocates(t *testing.T) {
	list := bench.EndpointsOf(bench.Services(1, 300, "")[0].Hinted())
	at := routing.Location{NodeName: "node-3", Zone: "b"}
	for _, row := range []struct {
		why    string
		at     routing.Location
		policy routing.Policy
		want   float64
	}{
		{"by hints", at, routing.Policy{}, 8},
		{"by place", at, routing.Policy{Near: routing.Node | routing.Zone, AtLeast: 2}, 8},
		{"each target once", at, routing.Policy{AnyFamily: true}, 25},
		{"nothing there", routing.Location{NodeName: "x"}, routing.Policy{Local: true}, 8},
	} {
		if got := testing.AllocsPerRun(100, func() { routing.Route(list, ipv4, row.at, row.policy) }); got > row.want {
			t.Errorf("%s: %v allocations, want at most %v", row.why, got, row.want)
		}
	}
	if got := testing.AllocsPerRun(100, func() { routing.Failover(list, ipv4, at, routing.Policy{}) }); got > 8 {
		t.Errorf("Failover: %v allocations, want 8", got)
	}
}
