package gen

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/test/sim"
)

// pods is how many Pods a small test case has. Few, so that the same one is wanted and held all
// over the place.
const pods = 6

// addresses has the good addresses of each type, by Pod, in all the spellings an API server takes.
var addresses = map[discoveryv1.AddressType][pods][]string{
	discoveryv1.AddressTypeIPv4: {
		{"10.0.0.1", "010.0.0.1", "10.0.0.01"}, {"10.0.0.2"}, {"10.0.0.3"}, {"10.0.0.10"}, {"9.0.0.1"}, {"239.1.1.1"},
	},
	discoveryv1.AddressTypeIPv6: {
		{"fd00::1", "FD00::1", "fd00:0:0::1"}, {"fd00::2"}, {"fd00::3"}, {"fd00::a"}, {"2001:db8::1"}, {"ff0e::1"},
	},
	discoveryv1.AddressTypeFQDN: {
		{"a.example.com"}, {"b.example.com"}, {"c.example.com"}, {"d.example.com"}, {"e.example.org"},
		{"1.example.org"},
	},
}

// badAddresses are refused for each of the types.
var badAddresses = []string{
	"", "127.0.0.1", "0.0.0.0", "169.254.1.1", "224.0.0.1", "::", "::1", "fe80::1", "ff02::1", "fe80::1%eth0",
	"10.0.0.256", "10.0.0", "fd00::00001", "not an address", "example", "Upper.example.com",
}

// chance is true in one of n draws; it shrinks to false.
func chance(t *rapid.T, n int, label string) bool {
	return rapid.IntRange(0, n-1).Draw(t, label) == n-1
}

func pick[E any](t *rapid.T, label string, from ...E) E {
	return from[rapid.IntRange(0, len(from)-1).Draw(t, label)]
}

// storedEndpoint draws an endpoint that an API server can hold in a slice of this type.
func storedEndpoint(t *rapid.T, addressType discoveryv1.AddressType) discoveryv1.Endpoint {
	pod := rapid.IntRange(0, pods-1).Draw(t, "pod")
	spellings := addresses[addressType][pod]
	e := discoveryv1.Endpoint{Addresses: []string{pick(t, "spelling", spellings...)}}
	if chance(t, 12, "second address") {
		other := addresses[addressType][(rapid.IntRange(0, pods-1).Draw(t, "other pod"))%pods][0]
		e.Addresses = append(e.Addresses, other)
	}
	e.Conditions = someConditions(t)
	if !chance(t, 4, "no target") {
		e.TargetRef = target(t, pod)
	}
	if chance(t, 8, "hostname") {
		e.Hostname = ptr(fmt.Sprintf("host-%d", pod%2))
	}
	if chance(t, 6, "node") {
		e.NodeName = ptr(pick(t, "node name", "node-a", "node-b"))
	}
	if !chance(t, 3, "no zone") {
		e.Zone = ptr(pick(t, "zone name", "zone-a", "zone-b", "zone-a"))
	}
	if chance(t, 6, "hints") {
		e.Hints = someHints(t)
	}
	if chance(t, 12, "topology") {
		e.DeprecatedTopology = map[string]string{"example.com/rack": "r1"}
	}
	return e
}

func someConditions(t *rapid.T) discoveryv1.EndpointConditions {
	value := func(label string) *bool {
		switch rapid.IntRange(0, 5).Draw(t, label) {
		case 4:
			return nil
		case 5:
			return ptr(label == "terminating")
		}
		return ptr(label != "terminating")
	}
	return discoveryv1.EndpointConditions{Ready: value("ready"), Serving: value("serving"),
		Terminating: value("terminating")}
}

func target(t *rapid.T, pod int) *corev1.ObjectReference {
	r := &corev1.ObjectReference{Kind: "Pod", Namespace: Namespace, Name: fmt.Sprintf("pod-%d", pod),
		UID: types.UID(fmt.Sprintf("uid-%d", pod))}
	switch rapid.IntRange(0, 15).Draw(t, "target") {
	case 9:
		r.APIVersion = "v1"
	case 10:
		r.FieldPath = "spec.containers{app}"
	case 11:
		r.UID = ""
	case 12:
		r.UID = "uid-0"
	case 13:
		r.ResourceVersion = "7"
	case 14:
		r.Kind = "VirtualMachine"
	case 15:
		r.Name, r.UID = "pod-x", "uid-x"
	}
	return r
}

// targetOf is what an endpoint refers to, to be changed; where it refers to nothing, changes of it
// count for nothing.
func targetOf(e *discoveryv1.Endpoint) *corev1.ObjectReference {
	if e.TargetRef == nil {
		return &corev1.ObjectReference{}
	}
	return e.TargetRef
}

func someHints(t *rapid.T) *discoveryv1.EndpointHints {
	zones := [][]discoveryv1.ForZone{nil, {{Name: "zone-a"}}, {{Name: "zone-b"}}, {{Name: "zone-a"}, {Name: "zone-b"}},
		{{Name: "zone-b"}, {Name: "zone-a"}}}
	h := &discoveryv1.EndpointHints{ForZones: pick(t, "zone hints", zones...)}
	if chance(t, 4, "node hint") {
		h.ForNodes = []discoveryv1.ForNode{{Name: "node-a"}}
	}
	return h
}

// wantedEndpoint draws an endpoint as a caller may want it: mostly good, sometimes with what an API
// server refuses.
func wantedEndpoint(t *rapid.T, addressType discoveryv1.AddressType) discoveryv1.Endpoint {
	e := storedEndpoint(t, addressType)
	if !chance(t, 8, "bad") {
		return e
	}
	switch rapid.IntRange(0, 9).Draw(t, "fault") {
	case 0:
		e.Addresses = nil
	case 1:
		e.Addresses = []string{pick(t, "bad address", badAddresses...)}
	case 2:
		e.Addresses = append(e.Addresses, pick(t, "bad second address", badAddresses...))
	case 3:
		e.Hostname = ptr(pick(t, "bad hostname", "", "Host", "a.b", "-a"))
	case 4:
		e.NodeName = ptr(pick(t, "bad node", "", "Node", "a_b"))
	case 5:
		e.Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "zone a"}}}
	case 6:
		e.Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "zone-a"}, {Name: "zone-a"}}}
	case 7:
		e.Zone = ptr(pick(t, "odd zone", "zone a", "", "zone-x", "-"))
	case 8:
		e.Hints = &discoveryv1.EndpointHints{ForNodes: []discoveryv1.ForNode{{Name: "Node"}}}
	case 9:
		e.Addresses = nil
		for i := range 101 {
			e.Addresses = append(e.Addresses, Address(i))
		}
	}
	return e
}

func ptr[V any](v V) *V { return &v }

// storable reports whether an API server can hold the endpoint in a slice of this type.
func storable(e discoveryv1.Endpoint, addressType discoveryv1.AddressType) bool {
	return len(sim.EndpointErrors(e, addressType, field.NewPath("endpoint"))) == 0
}

// Change changes one thing about an endpoint in one of two draws, as other writers of a slice may:
// something that counts, or something that does not.
func Change(t *rapid.T, e *discoveryv1.Endpoint) {
	if !rapid.Bool().Draw(t, "changed") {
		return
	}
	ref := targetOf(e)
	switch rapid.IntRange(0, 14).Draw(t, "change") {
	case 0:
		e.Conditions.Ready = nil
	case 1:
		e.Conditions.Ready = ptr(false)
	case 2:
		e.Conditions.Serving = ptr(false)
	case 3:
		e.Conditions.Terminating = ptr(true)
	case 4:
		e.NodeName = ptr("node-z")
	case 5:
		e.Zone = ptr("")
	case 6:
		e.Hostname = ptr("host-0")
	case 7:
		e.Hints = someHints(t)
	case 8:
		e.DeprecatedTopology = map[string]string{"example.com/rack": "r1"}
	case 9:
		e.TargetRef = nil
	case 10:
		ref.ResourceVersion = "7"
	case 11:
		ref.Name = "pod-z"
	case 12:
		ref.UID = "uid-z"
	case 13:
		ref.FieldPath = "spec"
	case 14:
		e.Addresses = []string{"10.0.0.01"}
	}
}
