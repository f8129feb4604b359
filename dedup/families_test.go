package dedup_test

import (
	"slices"
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
	list := []*discoveryv1.EndpointSlice{v6, v4}

	found, _ := dedup.OnePort(list, dedup.PortOptions{Port: "http"})
	routedApart(t, "OnePort", found, dedup.Found.Candidate)
	routedApart(t, "View", slices.Collect(dedup.Merge(list, dedup.Options{}).Endpoints(webHTTP)), dedup.Endpoint.Candidate)
}

func routedApart[E any](t *testing.T, door string, list []E, candidate func(E) hints.Candidate) {
	routes, used := hints.Route(list, candidate, hints.Location{Zone: "zone-a"}, hints.Policy{}), map[discoveryv1.AddressType]int{}
	for _, e := range routes.Cluster {
		used[candidate(e).AddressType]++
	}
	if len(routes.Families) != 2 || used["IPv4"] != 3 || used["IPv6"] != 1 {
		t.Errorf("%s: %v are used, want 3 and 1: %+v", door, used, routes.Families)
	}
}
