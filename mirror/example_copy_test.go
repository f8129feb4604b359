package mirror_test

import (
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

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
