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
