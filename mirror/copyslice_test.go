package mirror_test

import (
	"fmt"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/mirror"
)

var copyMeta = metav1.ObjectMeta{
	Namespace: "shop", Name: "web-east", Labels: map[string]string{discoveryv1.LabelManagedBy: "copies.example.com"},
}

// What is left out of a copy is among the Skips, with its path.
func TestCopySliceSkips(t *testing.T) {
	port := func(name string, number int32) discoveryv1.EndpointPort {
		return discoveryv1.EndpointPort{Name: &name, Port: &number}
	}
	addresses := func(list ...string) (all []discoveryv1.Endpoint) {
		for _, a := range list {
			all = append(all, discoveryv1.Endpoint{Addresses: []string{a}})
		}
		return all
	}
	var many []discoveryv1.Endpoint
	for i := range 501 {
		many = append(many, discoveryv1.Endpoint{Addresses: []string{fmt.Sprintf("10.0.%d.%d", i/250, i%250), fmt.Sprintf("10.1.%d.%d", i/250, i%250)}})
	}
	for _, row := range []struct {
		why       string
		ports     []discoveryv1.EndpointPort
		endpoints []discoveryv1.Endpoint
		options   mirror.CopyOptions
		want      string // the type, ports, endpoints and the Skips
	}{
		{"everything", []discoveryv1.EndpointPort{port("a", 1)}, addresses("10.0.0.1"), mirror.CopyOptions{}, "IPv4 1 1"},
		{"a bad port", []discoveryv1.EndpointPort{port("a", 1), port("b", 0)}, addresses("10.0.0.1"), mirror.CopyOptions{},
			"IPv4 1 1 InvalidPort from.ports[1].port"},
		{"one name twice", []discoveryv1.EndpointPort{port("a", 2), port("a", 1)}, addresses("10.0.0.1"), mirror.CopyOptions{},
			"IPv4 1 1 InvalidPort from.ports[0].name"},
		{"no port is wanted", []discoveryv1.EndpointPort{port("a", 1)}, addresses("10.0.0.1", "10.0.0.2"),
			mirror.CopyOptions{Port: func(discoveryv1.EndpointPort) bool { return false }},
			"IPv4 0 0 PortsFiltered from.ports"},
		{"an endpoint is dropped", nil, addresses("10.0.0.1", "10.0.0.2"), mirror.CopyOptions{Transform: dropping("10.0.0.2")},
			"IPv4 0 1 Dropped from.endpoints[1]"},
		{"another address type", nil, addresses("10.0.0.1", "10.0.0.2"), mirror.CopyOptions{Transform: toIPv6}, "IPv6 0 2"},
		{"two address types", nil, addresses("10.0.0.1", "10.0.0.2"), mirror.CopyOptions{
			Transform: func(e *discoveryv1.Endpoint, from *discoveryv1.EndpointSlice) error {
				if e.Addresses[0] == "10.0.0.2" {
					return toIPv6(e, from)
				}
				return nil
			}}, "IPv4 0 1 OtherAddressType from.endpoints[1]"},
		{"what the API server refuses, for which it would refuse the whole copy", nil,
			append(addresses("127.0.0.1", "10.0.0.1"), discoveryv1.Endpoint{Addresses: []string{"10.0.0.2"}, Hostname: ptr("a.b")},
				discoveryv1.Endpoint{Addresses: []string{"10.0.0.3"}, NodeName: ptr("a_b")}), mirror.CopyOptions{Node: mirror.Keep},
			"IPv4 0 1 InvalidAddress from.endpoints[0].addresses[0] InvalidHostname from.endpoints[2].hostname InvalidNodeName from.endpoints[3].nodeName"},
		{"IPv6 in a slice of IPv4", nil, addresses("fd00::1", "10.0.0.1"), mirror.CopyOptions{},
			"IPv4 0 1 InvalidAddress from.endpoints[0].addresses[0]"},
		{"the first address is none: it does not decide about the type", nil, addresses("", "10.0.0.1"),
			mirror.CopyOptions{Transform: func(*discoveryv1.Endpoint, *discoveryv1.EndpointSlice) error { return nil }},
			"IPv4 0 1 InvalidAddress from.endpoints[0].addresses[0]"},
		{"one address in several spellings", nil, addresses("010.001.000.001", "10.1.0.1"), mirror.CopyOptions{}, "IPv4 0 1"},
		{"as many endpoints as a slice may have", nil, many[1:], mirror.CopyOptions{EachAddress: true}, "IPv4 0 1000"},
		{"one more", nil, append(addresses("10.9.0.1"), many[1:]...), mirror.CopyOptions{EachAddress: true},
			"IPv4 0 1000 OverLimit from.endpoints"},
		{"more endpoints than a slice may have", nil, many, mirror.CopyOptions{EachAddress: true},
			"IPv4 0 1000 OverLimit from.endpoints"},
	} {
		from := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4, Ports: row.ports, Endpoints: row.endpoints}
		to, skips, err := mirror.CopySlice(from, copyMeta, row.options)
		if err != nil {
			t.Errorf("%s: %v", row.why, err)
			continue
		}
		got := fmt.Sprint(to.AddressType, " ", len(to.Ports), " ", len(to.Endpoints))
		for _, skip := range skips {
			got += fmt.Sprintf(" %s %s", skip.Reason, skip.Path)
			if skip.Reason == mirror.OverLimit && !strings.Contains(skip.Error(), "at most 1000") {
				t.Errorf("%s: the error does not say how many there may be: %v", row.why, skip)
			}
		}
		if got != row.want {
			t.Errorf("%s: %s, want %s", row.why, got, row.want)
		}
	}
}

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
