package mirror_test

import (
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
	in, err := mirror.FromSlices(set, []*discoveryv1.EndpointSlice{of("10.1.0.1"), of("10.1.0.2")},
		mirror.CopyOptions{})
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

// Two clusters have a slice of this name.
func ExampleCopyName() {
	from := &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-x7k2q"}}
	fmt.Println(mirror.CopyName(from, "east"), mirror.CopyName(from, "west"))
	// Output: web-x7k2q.shop.east web-x7k2q.shop.west
}

// One slice for each slice of another cluster. ExamplePlanCopy has addresses that are others over
// here.
func ExampleCopySlice() {
	from := &discoveryv1.EndpointSlice{
		ObjectMeta:  metav1.ObjectMeta{Namespace: "shop", Name: "web-x7k2q"},
		AddressType: discoveryv1.AddressTypeIPv4,
		Endpoints:   []discoveryv1.Endpoint{{Addresses: []string{"10.1.0.1"}}, {Addresses: []string{"127.0.0.1"}}},
	}
	to, skips, err := mirror.CopySlice(from, metav1.ObjectMeta{
		Namespace: "shop", Name: mirror.CopyName(from, "east"),
		Labels: map[string]string{
			discoveryv1.LabelServiceName: "web",
			discoveryv1.LabelManagedBy:   "copies.example.com",
			"copies.example.com/source":  mirror.LabelValue("east.shop.web-x7k2q"),
		},
	}, mirror.CopyOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(to.Name, to.AddressType, to.Ports == nil, to.Endpoints[0].Addresses, skips[0].Reason)
	// Output: web-x7k2q.shop.east IPv4 true [10.1.0.1] InvalidAddress
}
