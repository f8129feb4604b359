package dedup_test

import (
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/hints"
)

// TestFamiliesAreRoutedApart is README's reader on a Service of two families. The writer puts hints on the three endpoints of
// each zone in IPv4, and none on the only endpoint of IPv6. A reader in zone-a uses three and one, as kube-proxy does; one
// decision for all would obey no hint and use all seven.
func TestFamiliesAreRoutedApart(t *testing.T) {
	v4 := slice("web-4", "10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.5", "10.0.0.6")
	for i := range v4.Endpoints {
		v4.Endpoints[i].Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: []string{"zone-a", "zone-b"}[i%2]}}}
	}
	v6 := slice("web-6", "fd00::1")
	v6.AddressType = discoveryv1.AddressTypeIPv6
	slices := []*discoveryv1.EndpointSlice{v6, v4}

	at, want := hints.Location{Zone: "zone-a"}, map[discoveryv1.AddressType]int{"IPv4": 3, "IPv6": 1}
	check := func(door string, candidates []hints.Candidate, families []hints.Family) {
		got := map[discoveryv1.AddressType]int{}
		for _, c := range candidates {
			got[c.AddressType]++
		}
		if len(families) != 2 || got["IPv4"] != want["IPv4"] || got["IPv6"] != want["IPv6"] {
			t.Errorf("%s: %v are used, want %v: %+v", door, got, want, families)
		}
	}

	found, _ := dedup.OnePort(slices, dedup.PortOptions{Port: "http"})
	one := hints.Route(found, dedup.Found.Candidate, at, hints.Policy{})
	var candidates []hints.Candidate
	for _, f := range one.Cluster {
		candidates = append(candidates, f.Candidate())
	}
	check("OnePort", candidates, one.Families)

	view := dedup.Merge(slices, dedup.Options{})
	for service := range view.Services() {
		for port := range view.Ports(service) {
			var list []dedup.Endpoint
			for e := range view.Endpoints(port) {
				list = append(list, e)
			}
			all := hints.Route(list, dedup.Endpoint.Candidate, at, hints.Policy{})
			candidates = nil
			for _, e := range all.Cluster {
				candidates = append(candidates, e.Candidate())
			}
			check("View", candidates, all.Families)
		}
	}
}
