package slicer_test

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/slicer"
)

// exampleSet is the set of a Service web in the namespace shop.
var exampleSet = slicer.Set{
	Namespace: "shop", Name: "web", ManagedBy: "slices.example.com",
	Owners: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Service", Name: "web", UID: "6f1e"}},
}

// exampleSlice is one of that set's slices, as the API server would have it.
func exampleSlice(name, version string, endpoints ...discoveryv1.Endpoint) *discoveryv1.EndpointSlice {
	return &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: name, ResourceVersion: version,
			Labels: map[string]string{discoveryv1.LabelManagedBy: "slices.example.com",
				discoveryv1.LabelServiceName: "web"},
			OwnerReferences: exampleSet.Owners,
		},
		AddressType: discoveryv1.AddressTypeIPv4,
		Ports:       examplePorts,
		Endpoints:   endpoints,
	}
}

var examplePorts = []discoveryv1.EndpointPort{{Name: ptr("http"), Protocol: ptr(corev1.ProtocolTCP),
	Port: ptr(int32(8080))}}

// examplePlan is for web-a [.1 .2] and web-b [.3], of which .3 is gone, .2 is no longer ready and
// three are new, at two endpoints for a slice.
func examplePlan() slicer.Plan {
	plan, err := slicer.Compute(slicer.Input{
		Set: exampleSet,
		Groups: []slicer.Group{{Ports: examplePorts, Endpoints: []discoveryv1.Endpoint{
			endpoint("10.0.0.1"), ready(endpoint("10.0.0.2"), false),
			endpoint("10.0.0.4"), endpoint("10.0.0.5"), endpoint("10.0.0.6"),
		}}},
		Options: slicer.Options{MaxEndpointsPerSlice: 2},
	}, []*discoveryv1.EndpointSlice{
		exampleSlice("web-a", "7", endpoint("10.0.0.1"), endpoint("10.0.0.2")),
		exampleSlice("web-b", "8", endpoint("10.0.0.3")),
	})
	if err != nil {
		panic(err)
	}
	return plan
}

func ExampleCompute() {
	plan, err := slicer.Compute(slicer.Input{
		Set: exampleSet,
		Groups: []slicer.Group{{
			Ports:     examplePorts,
			Endpoints: []discoveryv1.Endpoint{endpoint("10.0.0.1"), endpoint("10.0.0.3"), endpoint("127.0.0.1")},
		}},
	}, []*discoveryv1.EndpointSlice{exampleSlice("web-a", "7", endpoint("10.0.0.1"), endpoint("10.0.0.2"))})
	if err != nil {
		fmt.Println("a mistake of the caller:", err)
		return
	}
	for _, step := range plan.Steps { // package publish carries them out
		fmt.Println(step)
	}
	fmt.Println(len(plan.Skips), "not published")
	// Output:
	// update web-a: -10.0.0.2 +10.0.0.3 (EndpointsAdded, EndpointsRemoved)
	// 1 not published
}

// exampleSkips plans what lacks two Pods and an endpoint.
func exampleSkips() slicer.Plan {
	plan, err := slicer.Compute(slicer.Input{
		Set:    exampleSet,
		Groups: []slicer.Group{{Ports: examplePorts, Endpoints: []discoveryv1.Endpoint{endpoint("127.0.0.1")}}},
		Skips: []slicer.Skip{
			{Reason: "NoAddress", Object: corev1.ObjectReference{Name: "web-1"}, Err: errors.New("it has no address yet"), Severity: slicer.Routine},
			{Reason: "AddressesUnread", Object: corev1.ObjectReference{Name: "web-2"}, Err: errors.New("no answer"), Retry: true},
		},
	}, nil)
	if err != nil {
		panic(err)
	}
	return plan
}

// A Pod that has no address yet is routine, and no warning.
func ExamplePlan_Warnings() {
	warnings := exampleSkips().Warnings()
	fmt.Println(warnings)
	fmt.Println(warnings[0].Reason, warnings[0].Object.Name) // data for Events
	// Output:
	// web-2: AddressesUnread: no answer
	// 127.0.0.1: InvalidAddress: Invalid value: "127.0.0.1": the API server refuses unspecified, loopback and link-local addresses: publish one that other nodes can reach
	// AddressesUnread web-2
}

// A Syncer returns it after all else is published, so that the queue calls again.
func ExamplePlan_Retry() {
	fmt.Println(examplePlan().Retry())
	fmt.Println(exampleSkips().Retry())
	// Output:
	// <nil>
	// web-2: AddressesUnread: no answer
}

func ExamplePlan_String() {
	fmt.Print(examplePlan())
	// Output:
	// create web-jzl0q9xx-ipv4 ipv4 http:8080: +10.0.0.6 (EndpointsAdded)
	// update web-b: -10.0.0.3 +10.0.0.4 +10.0.0.5 (EndpointsAdded, EndpointsRemoved)
	// update web-a: ~10.0.0.2{!ready} (EndpointsChanged)
	// total 3 writes (1 create, 2 updates), endpoints +3 -1 ~1
}

func ExamplePlan_Stats() {
	plan := examplePlan()
	s := plan.Stats()
	fmt.Println(plan.Empty(), s.Creates, "created,", s.Updates, "updated,", s.Added, "endpoints added,", s.Removed,
		"removed,", s.Changed, "changed")
	for _, slice := range plan.After() {
		fmt.Println(slice.Name, len(slice.Endpoints))
	}
	// Output:
	// false 1 created, 2 updated, 3 endpoints added, 1 removed, 1 changed
	// web-jzl0q9xx-ipv4 1
	// web-b 2
	// web-a 2
}

func ExamplePointers() {
	list := discoveryv1.EndpointSliceList{Items: []discoveryv1.EndpointSlice{*exampleSlice("web-a", "7"),
		*exampleSlice("web-b", "8")}}
	existing := slicer.Pointers(list.Items)
	fmt.Println(len(existing), existing[1].Name)
	// Output: 2 web-b
}
