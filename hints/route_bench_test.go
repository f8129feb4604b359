package hints_test

import (
	"fmt"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/gen"
)

// BenchmarkRoute measures Route and Failover for a reader in one of three zones.
func BenchmarkRoute(b *testing.B) {
	at := hints.Location{NodeName: "node-3", Zone: "zone-b"}
	for _, impl := range []struct {
		name  string
		route func([]*discoveryv1.Endpoint) int
	}{
		{"slicewright", func(list []*discoveryv1.Endpoint) int {
			return len(hints.Route(list, ipv4, at, hints.Policy{}).Cluster)
		}},
		{"failover", func(list []*discoveryv1.Endpoint) int {
			return len(hints.Failover(list, ipv4, at, hints.Policy{})[0].Endpoints)
		}},
	} {
		for _, n := range gen.Sizes {
			b.Run(fmt.Sprintf("impl=%s/n=%d", impl.name, n), func(b *testing.B) {
				list := zonedEndpoints(n)
				b.ReportAllocs()
				for b.Loop() {
					if got := impl.route(list); got != (n+1)/3 {
						b.Fatal(got)
					}
				}
				gen.PerEndpoint(b, n)
			})
		}
	}
}

// zonedEndpoints returns ready endpoints in three zones, hinted home, each in memory of its own.
func zonedEndpoints(n int) []*discoveryv1.Endpoint {
	list := make([]*discoveryv1.Endpoint, n)
	for i := range list {
		zone, node := fmt.Sprintf("zone-%c", 'a'+i%3), fmt.Sprintf("node-%d", i%500)
		yes, no := true, false
		list[i] = &discoveryv1.Endpoint{
			Addresses: []string{gen.Address(i)}, NodeName: &node, Zone: &zone,
			Conditions: discoveryv1.EndpointConditions{Ready: &yes, Serving: &yes, Terminating: &no},
			Hints:      &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: zone}}},
		}
	}
	return list
}
