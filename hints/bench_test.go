package hints_test

import (
	"fmt"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/gen"
)

// BenchmarkAssign measures, over slices of 100 endpoints in three zones:
//
//	clean  nothing changes
//	jump   the CPU of one zone doubled: slices must be opened
//	first  no endpoint has a hint yet
//	roll   one slice is written anyway
func BenchmarkAssign(b *testing.B) {
	equal, doubled := proportional("100,100,100", ""), proportional("100,100,200", "")
	cases := []struct {
		name   string
		before hints.Options
		after  hints.Options
	}{
		{"clean", equal, equal},
		{"jump", equal, doubled},
		{"first", hints.Options{}, equal},
		{"roll", equal, equal},
	}
	for _, bc := range cases {
		for _, n := range gen.Sizes {
			b.Run(fmt.Sprintf("mode=proportional/case=%s/n=%d", bc.name, n), func(b *testing.B) {
				in := cluster(n)
				changes, _, err := hints.Assign(bc.before, in)
				if err != nil {
					b.Fatal(err)
				}
				in, _ = after(in, changes)
				if bc.name == "roll" {
					in[0].Written = true
				}
				b.ReportAllocs()
				for b.Loop() {
					if _, _, err := hints.Assign(bc.after, in); err != nil {
						b.Fatal(err)
					}
				}
				gen.PerEndpoint(b, n)
			})
		}
	}
}

// cluster is n ready endpoints in zones a, b and c in turn, 100 per slice, each in memory of its own as a decoder leaves it.
func cluster(n int) []hints.Slice {
	var in []hints.Slice
	for i := range n {
		if i%100 == 0 {
			in = append(in, hints.Slice{Name: fmt.Sprintf("web-%05d", i/100)})
		}
		s := &in[len(in)-1]
		s.Endpoints = append(s.Endpoints, endpointIn(string(rune('a'+i%3)), gen.Address(i)))
	}
	return in
}

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
