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
	endpoints := []*discoveryv1.Endpoint{hinted("10.0.0.1", "zone-a"), hinted("10.0.0.2", "zone-b"),
		hinted("10.0.0.3", "zone-a")}
	print := func(r routing.Routes[*discoveryv1.Endpoint]) {
		for _, e := range r.Endpoints {
			fmt.Print(e.Addresses[0], " ")
		}
		fmt.Println(r.Families[0].Scope, r.Families[0].Zone, r.Families[0].ZoneMissing)
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

// A reader that can fail over uses the endpoints of its zone, and the others when all of these
// fail.
func ExampleFailover() {
	yes, no := true, false
	draining := &discoveryv1.Endpoint{
		Addresses:  []string{"10.0.0.4"},
		Conditions: discoveryv1.EndpointConditions{Ready: &no, Serving: &yes, Terminating: &yes},
	}
	endpoints := []*discoveryv1.Endpoint{hinted("10.0.0.1", "zone-a"), draining, hinted("10.0.0.2", "zone-b"),
		hinted("10.0.0.3", "zone-a")}
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
	endpoints := []*discoveryv1.Endpoint{hinted("10.0.0.1", "zone-a"), hinted("10.0.0.2", "zone-b"),
		{Addresses: []string{"10.0.0.3"}}}
	r := routing.Route(endpoints, func(e *discoveryv1.Endpoint) routing.Candidate {
		c := ipv4(e)
		c.NoVote = e.Addresses[0] == "10.0.0.3"
		return c
	}, routing.Location{Zone: "zone-a"}, routing.Policy{})
	fmt.Println(len(r.Endpoints), r.Families[0].Scope)
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

// A load balancer whose traffic policies are both Local.
func ExampleInside() {
	local := corev1.ServiceInternalTrafficPolicyLocal
	svc := &corev1.Service{Spec: corev1.ServiceSpec{
		Type: corev1.ServiceTypeLoadBalancer, InternalTrafficPolicy: &local,
		ExternalTrafficPolicy: corev1.ServiceExternalTrafficPolicyLocal,
	}}
	fmt.Println("to the cluster IP, only endpoints of the client's node:", routing.Inside(svc).Local)
	outside, ok := routing.Outside(svc)
	fmt.Println("from outside, only endpoints of the node:", ok && outside.Local)
	// Output:
	// to the cluster IP, only endpoints of the client's node: true
	// from outside, only endpoints of the node: true
}

// A program that announces a load balancer's address from Nodes does so on those with a ready
// endpoint, if traffic must not leave the Node.
func ExampleOutside() {
	node1, node2, yes, no := "node-1", "node-2", true, false
	endpoints := []*discoveryv1.Endpoint{
		{Addresses: []string{"10.0.0.1"}, NodeName: &node1},
		{Addresses: []string{"10.0.0.2"}, NodeName: &node2, Conditions: discoveryv1.EndpointConditions{Ready: &no, Serving: &yes, Terminating: &yes}},
	}
	svc := &corev1.Service{Spec: corev1.ServiceSpec{
		Type: corev1.ServiceTypeLoadBalancer, ExternalTrafficPolicy: corev1.ServiceExternalTrafficPolicyLocal,
	}}
	policy, ok := routing.Outside(svc)
	for _, node := range []string{"node-1", "node-2", "node-3"} {
		r := routing.Route(endpoints, ipv4, routing.Location{NodeName: node}, policy)
		announces := ok && (!policy.Local || r.Families[0].Scope == routing.ScopeNode)
		fmt.Println(node, announces, r.Families[0].Scope, len(r.Endpoints))
	}
	// Output:
	// node-1 true ScopeNode 1
	// node-2 false ScopeDraining 1
	// node-3 false ScopeElsewhere 0
}

// A gateway does itself what the Service asks of proxies: near endpoints first, by place and not by
// hints, but not fewer than two.
func ExampleNearOf() {
	zoneA, zoneB, same := "zone-a", "zone-b", corev1.ServiceTrafficDistributionPreferSameZone
	endpoints := []*discoveryv1.Endpoint{
		{Addresses: []string{"10.0.0.1"}, Zone: &zoneA}, {Addresses: []string{"10.0.0.2"}, Zone: &zoneB}, {Addresses: []string{"10.0.0.3"}, Zone: &zoneB},
	}
	svc := &corev1.Service{Spec: corev1.ServiceSpec{TrafficDistribution: &same}}
	policy := routing.Policy{Near: routing.NearOf(svc), AtLeast: 2}
	for _, zone := range []string{zoneA, zoneB} {
		for _, tier := range routing.Failover(endpoints, ipv4, routing.Location{Zone: zone}, policy) {
			fmt.Println(zone, tier.Scope, len(tier.Endpoints), "of the zone:", tier.Family.Zone)
		}
	}
	// Output:
	// zone-a ScopeAll 3 of the zone: TooFew
	// zone-b ScopeZone 2 of the zone: Present
	// zone-b ScopeAll 1 of the zone: Present
}

func ExampleExplain() {
	no := false
	endpoints := []*discoveryv1.Endpoint{
		hinted("10.0.0.1", "zone-a"), hinted("10.0.0.2", "zone-b"),
		{Addresses: []string{"10.0.0.3"}, Conditions: discoveryv1.EndpointConditions{Ready: &no}},
	}
	for i, v := range routing.Explain(endpoints, ipv4, routing.Location{Zone: "zone-a"}, routing.Policy{}) {
		fmt.Println(endpoints[i].Addresses[0], v.Used, v.Scope, v.Why)
	}
	// Output:
	// 10.0.0.1 true ScopeZone Hinted
	// 10.0.0.2 false ScopeAll OthersHinted
	// 10.0.0.3 false ScopeNone NotReady
}

// A reader that sends no traffic out of its zone takes near tiers alone, and may be left with none.
func ExampleScope_Near() {
	zoneA, zoneB := "zone-a", "zone-b"
	endpoints := []*discoveryv1.Endpoint{{Addresses: []string{"10.0.0.1"}, Zone: &zoneA},
		{Addresses: []string{"10.0.0.2"}, Zone: &zoneB}}
	for _, tier := range routing.Failover(endpoints, ipv4, routing.Location{Zone: zoneA},
		routing.Policy{Near: routing.Zone}) {
		fmt.Println(tier.Scope, tier.Scope.Near(), tier.Endpoints[0].Addresses)
	}
	// Output:
	// ScopeZone true [10.0.0.1]
	// ScopeAll false [10.0.0.2]
}
