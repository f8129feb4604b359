package mirror_test

import (
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// A Service of cluster east is copied to this cluster. When a Pod goes there, only its endpoint goes here.
func Example_copyingSlicesBetweenClusters() {
	port := int32(80)
	east := &discoveryv1.EndpointSlice{
		ObjectMeta:  metav1.ObjectMeta{Namespace: "shop", Name: "web-x7k2q"},
		AddressType: discoveryv1.AddressTypeIPv4,
		Ports:       []discoveryv1.EndpointPort{{Port: &port}},
		Endpoints:   []discoveryv1.Endpoint{{Addresses: []string{"10.1.0.1"}}, {Addresses: []string{"10.1.0.2"}}},
	}
	set := slicer.Set{
		Namespace: "shop", Name: "web-east", ManagedBy: "copies.example.com",
		Key: map[string]string{"copies.example.com/source": "east.shop.web"},
		Labels: map[string]string{
			discoveryv1.LabelServiceName: "web", // so that kube-proxy uses the copies for Service web
		},
	}
	var here []*discoveryv1.EndpointSlice // what the API server of this cluster has in the namespace
	for range 2 {
		plan, err := mirror.PlanCopy(set, []*discoveryv1.EndpointSlice{east}, here, mirror.CopyOptions{})
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, step := range plan.Steps {
			fmt.Println(step)
		}
		here = plan.After() // apply the steps to the API server instead
		east.Endpoints = east.Endpoints[:1]
	}
	// Output:
	// create web-east-55tzn6tn-ipv4 ipv4 :80: +10.1.0.1 +10.1.0.2 (EndpointsAdded)
	// update web-east-55tzn6tn-ipv4: -10.1.0.2 (EndpointsRemoved)
}

// Two sources of one Service are one set here, which a caller gives other limits.
func ExampleFromSlices() {
	port := int32(80)
	of := func(address string) *discoveryv1.EndpointSlice {
		return &discoveryv1.EndpointSlice{
			AddressType: discoveryv1.AddressTypeIPv4, Ports: []discoveryv1.EndpointPort{{Port: &port}},
			Endpoints: []discoveryv1.Endpoint{{Addresses: []string{address}}},
		}
	}
	set := slicer.Set{Namespace: "shop", Name: "web", ManagedBy: "copies.example.com"}
	in, err := mirror.FromSlices(set, []*discoveryv1.EndpointSlice{of("10.1.0.1"), of("10.1.0.2")}, mirror.CopyOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	in.Options.MaxEndpointsPerSlice = 1000
	plan, err := slicer.Compute(in, nil)
	fmt.Println(plan.Steps[0], err)
	// Output:
	// create web-ngt2cn6f-ipv4 ipv4 :80: +10.1.0.1 +10.1.0.2 (EndpointsAdded) <nil>
}
