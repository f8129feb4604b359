package hints_test

import (
	"fmt"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/gen"
)

func BenchmarkRoute(b *testing.B) {
	for _, n := range gen.Sizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
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
			at := hints.Location{NodeName: "node-3", Zone: "zone-b"}
			b.ReportAllocs()
			for b.Loop() {
				if r := hints.Route(list, hints.CandidateOf, at, hints.Policy{}); r.Scope != hints.ScopeZone {
					b.Fatal(r.Scope)
				}
			}
			gen.PerEndpoint(b, n)
		})
	}
}
