package deduptest

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/test/kit"
)

// choose returns a number from 0 to n-1.
type choose func(n int) int

func one[T any](c choose, list []T) T { return list[c(len(list))] }

// kind is one kind of change. A run leaves out the kinds that need a feature of Options.Without.
type kind struct {
	name  string
	needs []string
	// do changes a cluster, and returns a text about the change. If the cluster does not have the
	// slices or endpoints that the change needs, do changes less, or nothing. So any step can be
	// left out of a history.
	do func(*cluster, choose) string
}

// Event implements kit.Event.
func (k kind) Event() (name string, needs []string) { return k.name, k.needs }

// groups are the kinds of change from which a run chooses, after beginKinds.
var groups = [][]kind{moveKinds, stateKinds, portKinds, lifeKinds, wordingKinds, hintKinds}

// kindOf returns the kind with a name, or nil if there is none.
func kindOf(name string) *kind { return kit.Named(name, append(groups, beginKinds)...) }

// The slices of all histories. webA and bankA have the same name, and so have their Services, in
// two namespaces.
var (
	webA  = sliceName{Namespace: "shop", Name: "web-a"}
	webB  = sliceName{Namespace: "shop", Name: "web-b"}
	webC  = sliceName{Namespace: "shop", Name: "web-c"}
	web6  = sliceName{Namespace: "shop", Name: "web-6"}
	web7  = sliceName{Namespace: "shop", Name: "web-7"}
	names = sliceName{Namespace: "shop", Name: "web-n"}
	apiA  = sliceName{Namespace: "shop", Name: "api-a"}
	dnsA  = sliceName{Namespace: "shop", Name: "dns-a"} // of two protocols
	bankA = sliceName{Namespace: "bank", Name: "web-a"}

	webSlices = []sliceName{webA, webB, webC}
	allSlices = []sliceName{webA, webB, webC, apiA, dnsA, bankA, web6, web7, names}
)

// newSlice returns a slice as it is created, with labels but without other metadata.
func newSlice(name sliceName) *discoveryv1.EndpointSlice {
	slice := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4}
	service := "web"
	slice.Ports = []discoveryv1.EndpointPort{port("http", 8080)}
	switch name {
	case web6, web7:
		slice.AddressType = discoveryv1.AddressTypeIPv6
	case names:
		slice.AddressType = discoveryv1.AddressTypeFQDN
	case dnsA:
		service = "dns"
		udp := port("dns", 53)
		*udp.Protocol = corev1.ProtocolUDP
		slice.Ports = []discoveryv1.EndpointPort{port("dns-tcp", 53), udp}
	case apiA:
		service = "api"
		slice.Ports = []discoveryv1.EndpointPort{port("grpc", 9000), port("http", 8080)}
	}
	slice.Labels = map[string]string{discoveryv1.LabelServiceName: service}
	return slice
}

// port returns a TCP port. If number is 0, the port has no number.
func port(name string, number int32) discoveryv1.EndpointPort {
	tcp := corev1.ProtocolTCP
	p := discoveryv1.EndpointPort{Name: &name, Port: &number, Protocol: &tcp}
	if number == 0 {
		p.Port = nil
	}
	return p
}

// pod returns a ready endpoint of a Pod, as Kubernetes' own controller writes it.
func pod(address, name string) discoveryv1.Endpoint {
	return discoveryv1.Endpoint{
		Addresses: []string{address},
		TargetRef: &corev1.ObjectReference{
			Kind: "Pod", Namespace: "shop", Name: name, UID: types.UID(strings.TrimPrefix(name, "pod-")),
		},
		Conditions: discoveryv1.EndpointConditions{Ready: &yes, Serving: &yes, Terminating: &no},
	}
}

// addresses are the addresses of the Pods in IPv4 slices of web: addresses[i] belongs to pod-(i+1).
var addresses = []string{"10.0.0.1", "10.0.0.2", "10.0.0.3"}

func podAt(i int) discoveryv1.Endpoint { return pod(addresses[i], fmt.Sprintf("pod-%d", i+1)) }

// find returns the index of the endpoint with an address in a slice, or -1 if there is none.
func find(slice *discoveryv1.EndpointSlice, address string) int {
	return slices.IndexFunc(slice.Endpoints, func(e discoveryv1.Endpoint) bool { return e.Addresses[0] == address })
}

// edit changes the endpoint with an address, if the slice has one.
func edit(slice *discoveryv1.EndpointSlice, address string, change func(*discoveryv1.Endpoint)) {
	if i := find(slice, address); i >= 0 {
		change(&slice.Endpoints[i])
	}
}

// put adds an endpoint to a slice. It replaces an endpoint with the same address.
func put(slice *discoveryv1.EndpointSlice, e discoveryv1.Endpoint) {
	if i := find(slice, e.Addresses[0]); i >= 0 {
		slice.Endpoints[i] = e
		return
	}
	slice.Endpoints = append(slice.Endpoints, e)
}

// take removes the endpoint with an address from a slice.
func take(slice *discoveryv1.EndpointSlice, address string) {
	if i := find(slice, address); i >= 0 {
		slice.Endpoints = slices.Delete(slice.Endpoints, i, i+1)
	}
}

// beginKinds are the steps that all histories begin with: the events of an informer's first list.
// The list is sorted by namespace and name, not by version.
var beginKinds = []kind{
	{"bank-a", nil, created(4, bankA, discoveryv1.Endpoint{Addresses: []string{"10.0.0.9"}})}, // written by hand
	{"api-a", nil, created(3, apiA, discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"},
		TargetRef: &corev1.ObjectReference{Kind: "VirtualMachine", Namespace: "shop", Name: "vm-1", UID: "vm-1"}})},
	{"dns-a", []string{"UDP"}, created(7, dnsA, pod("10.0.0.53", "pod-53"))},
	{"web-6", []string{"IPv6"}, created(5, web6, pod("fd00::1", "pod-1"))},
	{"web-a", nil, created(1, webA, podAt(0), podAt(1))},
	{"web-b", nil, created(2, webB, podAt(2))},
	{"names", []string{"FQDN"}, created(6, names, discoveryv1.Endpoint{Addresses: []string{"db.example.com"}})},
}

func created(version int, name sliceName, list ...discoveryv1.Endpoint) func(*cluster, choose) string {
	return func(w *cluster, _ choose) string {
		newest := w.versions
		w.versions = version - 1
		defer func() { w.versions = max(w.versions, newest) }()
		w.write(name, func(s *discoveryv1.EndpointSlice) {
			for i := range list {
				put(s, *list[i].DeepCopy())
			}
		})
		return fmt.Sprintf("slice %s is created", name.Name)
	}
}
