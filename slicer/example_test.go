package slicer_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/slicer"
)

var exampleKey = slicer.Key{Namespace: "shop", Name: "web", ManagedBy: "slices.example.com"}

// exampleSlice is one of the slices of exampleKey, as the API server would have it.
func exampleSlice(name, version string, endpoints ...discoveryv1.Endpoint) *discoveryv1.EndpointSlice {
	return &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: name, ResourceVersion: version,
			Labels: map[string]string{
				discoveryv1.LabelManagedBy: "slices.example.com", discoveryv1.LabelServiceName: "web",
			},
		},
		AddressType: discoveryv1.AddressTypeIPv4, Ports: examplePorts, Endpoints: endpoints,
	}
}

var examplePorts = []discoveryv1.EndpointPort{
	{Name: ptr("http"), Protocol: ptr(corev1.ProtocolTCP), Port: ptr(int32(8080))},
}

func ptr[T any](v T) *T { return &v }

func endpoint(address string) discoveryv1.Endpoint {
	return discoveryv1.Endpoint{Addresses: []string{address}}
}

// Endpoints that are no Pods: web-a keeps .1 and gets .3, and .2 goes. A bad address is no error.
func ExampleCompute() {
	in := slicer.Input{
		Key: exampleKey,
		Groups: []slicer.Group{{
			AddressType: discoveryv1.AddressTypeIPv4,
			Ports:       examplePorts,
			Endpoints: []slicer.Endpoint{
				{API: endpoint("10.0.0.1")}, {API: endpoint("10.0.0.3")}, {API: endpoint("127.0.0.1")},
			},
		}},
	}
	existing := []*discoveryv1.EndpointSlice{exampleSlice("web-a", "7", endpoint("10.0.0.1"), endpoint("10.0.0.2"))}
	plan, err := slicer.Compute(in, existing)
	fmt.Print(plan)
	fmt.Println(err)
	// Output:
	// update web-a: -10.0.0.2 +10.0.0.3 (EndpointsAdded, EndpointsRemoved)
	// warning 127.0.0.1: InvalidAddress: Invalid value: "127.0.0.1": the API server refuses unspecified, loopback and link-local addresses: publish one that other nodes can reach
	// total 1 write, endpoints +1 -1 ~0
	// <nil>
}

// The address of web-1 is not known at the moment, for example because a function failed. Its
// endpoint stays.
func ExamplePending() {
	published := endpoint("10.0.0.1")
	published.TargetRef = &corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: "web-1"}
	plan, err := slicer.Compute(slicer.Input{
		Key:     exampleKey,
		Pending: []slicer.Pending{{Object: *published.TargetRef}},
	}, []*discoveryv1.EndpointSlice{exampleSlice("web-a", "7", published, endpoint("10.0.0.2"))})
	fmt.Println(plan.Steps, err)
	// Output: [update web-a: -10.0.0.2 (EndpointsRemoved)] <nil>
}

func ExampleValidate() {
	slice := exampleSlice("web-a", "", endpoint("10.0.0.300"), endpoint("10.0.0.1"))
	slice.Endpoints[1].Addresses = append(slice.Endpoints[1].Addresses, "10.0.0.2")
	unread, err := slicer.Validate(slice)
	fmt.Println("refused:", err)
	fmt.Println("unread:", unread)
	// Output:
	// refused: endpoints[0].addresses[0]: Invalid value: "10.0.0.300": is not an IP: give one without port, prefix length, zone and leading zeros
	// unread: endpoints[1].addresses: Unread: Invalid value: 2: readers use the first address only: make each address an endpoint of its own
}

func ExampleOrphans() {
	slices := []*discoveryv1.EndpointSlice{exampleSlice("web-a", "7"), exampleSlice("old-a", "8")}
	slices[1].Labels[discoveryv1.LabelServiceName] = "old"
	alive := func(slice *discoveryv1.EndpointSlice) bool {
		return slice.Labels[discoveryv1.LabelServiceName] == "web" // a controller asks its cache of Services
	}
	plan, err := slicer.Orphans("slices.example.com", slices, alive)
	fmt.Println(plan.Steps, err) // publish.Apply deletes them
	// Output: [delete old-a (NothingLeft)] <nil>
}
