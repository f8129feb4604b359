package dedup_test

import (
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/hints"
)

// A reader in zone-a asks which endpoints of a service port it may use.
func ExampleView_Endpoints_route() {
	name, port := "http", int32(8080)
	endpoint := func(address, zone string) discoveryv1.Endpoint {
		return discoveryv1.Endpoint{
			Addresses: []string{address},
			Hints:     &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: zone}}},
		}
	}
	view := dedup.Merge([]*discoveryv1.EndpointSlice{{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: "web-ipv4", Labels: map[string]string{discoveryv1.LabelServiceName: "web"},
		},
		AddressType: discoveryv1.AddressTypeIPv4,
		Ports:       []discoveryv1.EndpointPort{{Name: &name, Port: &port}},
		Endpoints:   []discoveryv1.Endpoint{endpoint("10.0.0.1", "zone-a"), endpoint("10.0.0.2", "zone-b")},
	}}, dedup.Options{})

	for service := range view.Services() {
		for port := range view.Ports(service) {
			endpoints := make([]dedup.Endpoint, 0, view.Len(port))
			for e := range view.Endpoints(port) {
				endpoints = append(endpoints, e)
			}
			routes := hints.Route(endpoints, dedup.Endpoint.Candidate, hints.Location{Zone: "zone-a"}, hints.Policy{})
			for _, e := range routes.Cluster {
				fmt.Println(port.Port, e.AddrPort(), routes.Families[0].Scope)
			}
		}
	}
	// Output: http 10.0.0.1:8080 ScopeZone
}
