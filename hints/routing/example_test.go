package routing_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints/routing"
)

func hinted(address, zone string) *discoveryv1.Endpoint {
	return &discoveryv1.Endpoint{
		Addresses: []string{address},
		Hints:     &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: zone}}},
	}
}

// ipv4 reads what Route must know of an endpoint.
var ipv4 = routing.CandidatesOf(discoveryv1.AddressTypeIPv4)

func ExampleRoute() {
	endpoints := []*discoveryv1.Endpoint{hinted("10.0.0.1", "zone-a"), hinted("10.0.0.2", "zone-b"), hinted("10.0.0.3", "zone-a")}
	print := func(r routing.Routes[*discoveryv1.Endpoint]) {
		for _, e := range r.Cluster {
			fmt.Print(e.Addresses[0], " ")
		}
		fmt.Println(r.Families[0].Scope, r.Families[0].ZoneHints, r.Families[0].ZoneMissing)
	}
	print(routing.Route(endpoints, ipv4, routing.Location{Zone: "zone-a"}, routing.Policy{}))
	print(routing.Route(endpoints, ipv4, routing.Location{Zone: "zone-c"}, routing.Policy{}))
	endpoints[1].Hints = nil
	print(routing.Route(endpoints, ipv4, routing.Location{Zone: "zone-a"}, routing.Policy{}))
	// Output:
	// 10.0.0.1 10.0.0.3 ScopeZone HintsObeyed -1
	// 10.0.0.1 10.0.0.2 10.0.0.3 ScopeAll NotNamed -1
	// 10.0.0.1 10.0.0.2 10.0.0.3 ScopeAll HintMissing 1
}

// A reader that can fail over uses the endpoints of its zone, and the others when all of these fail.
func ExampleFailover() {
	yes, no := true, false
	draining := &discoveryv1.Endpoint{
		Addresses: []string{"10.0.0.4"}, Conditions: discoveryv1.EndpointConditions{Ready: &no, Serving: &yes, Terminating: &yes},
	}
	endpoints := []*discoveryv1.Endpoint{hinted("10.0.0.1", "zone-a"), draining, hinted("10.0.0.2", "zone-b"), hinted("10.0.0.3", "zone-a")}
	for _, tier := range routing.Failover(endpoints, ipv4, routing.Location{Zone: "zone-a"}, routing.Policy{}) {
		fmt.Print(tier.Scope)
		for _, e := range tier.Endpoints {
			fmt.Print(" ", e.Addresses[0])
		}
		fmt.Println()
	}
	// Output:
	// ScopeZone 10.0.0.1 10.0.0.3
	// ScopeAll 10.0.0.2
	// ScopeDraining 10.0.0.4
}

// An endpoint that has just started has no hint yet. A reader that knows takes its vote away.
func ExampleRoute_noVote() {
	endpoints := []*discoveryv1.Endpoint{hinted("10.0.0.1", "zone-a"), hinted("10.0.0.2", "zone-b"), {Addresses: []string{"10.0.0.3"}}}
	r := routing.Route(endpoints, func(e *discoveryv1.Endpoint) routing.Candidate {
		c := ipv4(e)
		c.NoVote = e.Addresses[0] == "10.0.0.3"
		return c
	}, routing.Location{Zone: "zone-a"}, routing.Policy{})
	fmt.Println(len(r.Cluster), r.Families[0].Scope)
	// Output: 1 ScopeZone
}

func ExampleCandidatesOf() {
	no, yes, node, zone := false, true, "node-1", "zone-a"
	c := routing.CandidatesOf(discoveryv1.AddressTypeIPv4)(&discoveryv1.Endpoint{
		Conditions: discoveryv1.EndpointConditions{Ready: &no, Terminating: &yes}, NodeName: &node, Zone: &zone,
	})
	fmt.Println(c.AddressType, c.State, c.NodeName, c.Zone)
	// Output: IPv4 {false true true} node-1 zone-a
}

func ExamplePolicyOf() {
	local := corev1.ServiceInternalTrafficPolicyLocal
	fmt.Printf("%+v\n", routing.PolicyOf(&corev1.Service{Spec: corev1.ServiceSpec{
		Type: corev1.ServiceTypeNodePort, InternalTrafficPolicy: &local,
	}}))
	// Output: {InternalLocal:true External:true ExternalLocal:false IgnoreHints:false PreferZone:false AnyFamily:false}
}
