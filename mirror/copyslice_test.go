package mirror_test

import (
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/mirror"
)

// One slice for each slice of another cluster. ExamplePlanCopy has addresses that are others over here.
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
