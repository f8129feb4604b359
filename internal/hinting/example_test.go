package hinting_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/hinting"
	"github.com/slicewright/slicewright/hints/forecast"
	"github.com/slicewright/slicewright/hints/routing"
)

// endpointIn is a ready endpoint in a zone.
// ipv4 reads what a reader must know of an endpoint.
var ipv4 = routing.CandidatesOf(discoveryv1.AddressTypeIPv4)

func endpointIn(zone, address string) discoveryv1.Endpoint {
	ready := true
	return discoveryv1.Endpoint{Addresses: []string{address}, Conditions: discoveryv1.EndpointConditions{Ready: &ready},
		Zone: &zone}
}

func ExampleHintOf() {
	e := endpointIn("a", "10.0.0.1")
	hint, ok := hinting.HintOf(hinting.SameZone, &e)
	fmt.Println(hint.Zone, ok)

	*e.Zone = "not a label value"
	hint, ok = hinting.HintOf(hinting.SameZone, &e)
	fmt.Printf("%q %v\n", hint.Zone, ok)
	// Output:
	// a true
	// "" false
}

func ExampleNodeWeights() {
	nodes := []*corev1.Node{node("n1", "a", "8"), node("n2", "b", "3920m"), node("n3", "", "4")}
	w := hinting.NodeWeights(nodes, nil)
	fmt.Println(w.Zones, w.Problems)

	w = hinting.NodeWeights(nodes, func(n *corev1.Node) bool { return n.Labels[corev1.LabelTopologyZone] != "" })
	fmt.Println(w.Zones, w.Problems)
	// Output:
	// map[a:8000 b:3920] [{n3 NodeWithoutZone}]
	// map[a:8000 b:3920] []
}

func ExampleModeOf() {
	near := "PreferSameZone"
	service := &corev1.Service{Spec: corev1.ServiceSpec{TrafficDistribution: &near}}
	fmt.Println(hinting.ModeOf(service))

	service.Annotations = map[string]string{"service.kubernetes.io/topology-mode": "Auto"}
	fmt.Println(hinting.ModeOf(service))
	// Output:
	// SameZone
	// Proportional
}

// A controller sends an event when what people should know has changed.
func ExampleDecision_Same() {
	few := hinting.Decision{Mode: hinting.Proportional, Reason: hinting.TooFewEndpoints}
	on := hinting.Decision{Mode: hinting.Proportional, On: true, Reason: hinting.Allocated}
	more := on
	few.Allocation.Ready, on.Allocation.Ready, more.Allocation.Ready = 1, 6, 9
	fmt.Println(on.Same(few), more.Same(on))
	// Output: false true
}

// When Nodes change, a controller asks which services are worth a new plan. This is all that it
// must have stored of a decision.
func ExampleNeedsSync() {
	stored := hinting.Decision{Mode: hinting.Proportional, On: true}
	stored.Allocation = hinting.Allocation{Ready: 6, Zones: []hinting.Zone{{Name: "b", Hinted: 4}, {Name: "a", Hinted: 2}}}
	fmt.Println(hinting.NeedsSync(stored, hinting.Options{Weights: hinting.Weights{Zones: map[string]int64{"a": 4000,
		"b": 8000}}}))
	fmt.Println(hinting.NeedsSync(stored, hinting.Options{Weights: hinting.Weights{Zones: map[string]int64{"a": 8000,
		"b": 8000}}}))
	// Output:
	// false
	// true
}

// A Service asks for topology hints, and zone a has twice the CPU of zone b.
func ExampleAssign() {
	service := &corev1.Service{}
	service.Annotations = map[string]string{corev1.AnnotationTopologyMode: "Auto"}
	nodes := []*corev1.Node{node("n1", "a", "8"), node("n2", "b", "4")}
	slice := hinting.Slice{Name: "web-1", Written: true}
	for i, zone := range []string{"a", "b", "b"} {
		slice.Endpoints = append(slice.Endpoints, endpointIn(zone, fmt.Sprintf("10.0.0.%d", i+1)))
	}
	changes, decision, err := hinting.Assign(hinting.Options{Mode: hinting.ModeOf(service),
		Weights: hinting.NodeWeights(nodes, nil)}, []hinting.Slice{slice})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(decision)
	for _, c := range changes {
		slice.Endpoints[c.Endpoint].Hints = c.Hints
		fmt.Println(slice.Endpoints[c.Endpoint].Addresses[0], "is for zone", c.Hints.ForZones[0].Name)
	}
	// Output:
	// Proportional: on: 3 ready endpoints, no zone overloaded by more than 20%
	// ZONE  WEIGHT  MINIMUM  LOCAL  HINTED  OVERLOAD
	// a       8000        2      1       2        0%
	// b       4000        1      2       1        0%
	// 10.0.0.1 is for zone a
	// 10.0.0.2 is for zone a
	// 10.0.0.3 is for zone b
}

// A heartbeat is no reason to plan again; a Node that loses a CPU is.
func ExampleNodesMatter() {
	before, heartbeat, smaller := node("n1", "a", "8"), node("n1", "a", "8"), node("n1", "a", "7")
	heartbeat.ResourceVersion = "2"
	fmt.Println(hinting.NodesMatter(before, heartbeat, nil))
	fmt.Println(hinting.NodesMatter(before, smaller, nil))
	// Output:
	// false
	// true
}

// A Service of five Pods in three zones that send the same traffic: what three ways to decide hints
// do to it.
func ExampleOptions_limit() {
	weights := hinting.Weights{Zones: map[string]int64{"a": 1, "b": 1, "c": 1}}
	var from []forecast.Source
	for zone, weight := range weights.Zones {
		from = append(from, forecast.Source{Location: routing.Location{Zone: zone}, Weight: weight})
	}
	for _, o := range []hinting.Options{
		{Mode: hinting.None},
		{Mode: hinting.SameZone},
		{Mode: hinting.SameZone, Limit: 50, Weights: weights},
	} {
		pods := []discoveryv1.Endpoint{
			endpointIn("a", "10.0.0.1"), endpointIn("a", "10.0.0.2"), endpointIn("b", "10.0.0.3"), endpointIn("b", "10.0.0.4"), endpointIn("c", "10.0.0.5"),
		}
		changes, _, err := hinting.Assign(o, []hinting.Slice{{Written: true, Endpoints: pods}})
		for _, c := range changes {
			pods[c.Endpoint].Hints = c.Hints
		}
		t, forecastErr := forecast.Forecast(pods, func(e discoveryv1.Endpoint) routing.Candidate { return ipv4(&e) },
			from, routing.Policy{})
		if err != nil || forecastErr != nil {
			fmt.Println(err, forecastErr)
			return
		}
		fmt.Printf("%s %d: busiest %v, across zones %d%%\n", o.Mode, o.Limit, t.Loads[t.Worst], (t.Across+50)/100)
	}
	// Output:
	//  0: busiest 0%, across zones 67%
	// SameZone 0: busiest +66.67%, across zones 0%
	// SameZone 50: busiest +38.89%, across zones 22%
}
