package slicer_test

import (
	"slices"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/slicer"
)

// handwritten is a slice in which nothing is wrong.
func handwritten() *discoveryv1.EndpointSlice {
	return &discoveryv1.EndpointSlice{
		ObjectMeta:  metav1.ObjectMeta{Namespace: "shop", Name: "db", Labels: map[string]string{discoveryv1.LabelServiceName: "db"}},
		AddressType: discoveryv1.AddressTypeIPv4,
		Endpoints:   []discoveryv1.Endpoint{{Addresses: []string{"10.0.0.1"}}, {Addresses: []string{"10.0.0.2"}}},
		Ports:       []discoveryv1.EndpointPort{{Name: ptr("http"), Port: ptr(int32(80))}},
	}
}

// TestCheck: what the API server refuses is an error, and what readers drop is listed. Which paths the
// API server refuses, internal/test/conformance compares with its own code.
func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		change      func(s *discoveryv1.EndpointSlice)
		unread, err string
	}{
		"nothing is wrong":   {func(*discoveryv1.EndpointSlice) {}, "", ""},
		"a loopback address": {func(s *discoveryv1.EndpointSlice) { s.Endpoints[1].Addresses[0] = "127.0.0.1" }, "", "endpoints[1].addresses[0]: Invalid value"},
		"a long spelling": {func(s *discoveryv1.EndpointSlice) {
			s.AddressType = discoveryv1.AddressTypeIPv6
			s.Endpoints = []discoveryv1.Endpoint{{Addresses: []string{"fd00:0::1"}}}
		}, "", "write fd00::1"},
		"an address of the other family": {func(s *discoveryv1.EndpointSlice) { s.Endpoints[0].Addresses[0] = "fd00::1" }, "", "slice of its own address type"},
		"two ports of one name":          {func(s *discoveryv1.EndpointSlice) { s.Ports = append(s.Ports, s.Ports[0]) }, "", "ports[1].name: Duplicate value"},
		"a finalizer without domain":     {func(s *discoveryv1.EndpointSlice) { s.Finalizers = []string{"keep"} }, "", "metadata.finalizers[0]: Invalid value: \"keep\""},
		"no Service":                     {func(s *discoveryv1.EndpointSlice) { s.Labels = nil }, "metadata.labels[kubernetes.io/service-name]", ""},
		"FQDN": {func(s *discoveryv1.EndpointSlice) {
			s.AddressType = discoveryv1.AddressTypeFQDN
			s.Endpoints = []discoveryv1.Endpoint{{Addresses: []string{"db.example.org"}}}
		}, "addressType", ""},
		"a second address": {func(s *discoveryv1.EndpointSlice) { s.Endpoints[0].Addresses = []string{"10.0.0.1", "10.0.0.3"} }, "endpoints[0].addresses", ""},
		"an address twice": {func(s *discoveryv1.EndpointSlice) { s.Endpoints[1].Addresses[0] = "10.0.0.1" }, "endpoints[1].addresses[0]", ""},
		"no ports":         {func(s *discoveryv1.EndpointSlice) { s.Ports = nil }, "ports", ""},
		"no number":        {func(s *discoveryv1.EndpointSlice) { s.Ports[0].Port = nil }, "ports[0].port", ""},
		"number 0":         {func(s *discoveryv1.EndpointSlice) { s.Ports[0].Port = ptr(int32(0)) }, "ports[0].port", ""},
		"old topology":     {func(s *discoveryv1.EndpointSlice) { s.Endpoints[0].DeprecatedTopology = map[string]string{"a": "b"} }, "endpoints[0].deprecatedTopology", ""},
		"a hint for no zone": {func(s *discoveryv1.EndpointSlice) {
			s.Endpoints[0].Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{}}}
		}, "endpoints[0].hints.forZones[0].name", ""},
	} {
		s := handwritten()
		c.change(s)
		unread, err := slicer.Check(s)
		var paths []string
		for _, u := range unread {
			if paths = append(paths, u.Path); u.Reason != slicer.Unread || u.Severity != slicer.Warning || u.Err == nil {
				t.Errorf("%s: %+v", name, u)
			}
		}
		if got := strings.Join(paths, " "); got != c.unread {
			t.Errorf("%s: readers drop %q, want %q", name, got, c.unread)
		}
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: error %v, want %q", name, err, c.err)
		}
	}
	if _, err := slicer.Check(nil); err == nil {
		t.Error("a nil slice is accepted")
	}
}

func TestOrphans(t *testing.T) {
	slice := func(namespace, name, manager string) *discoveryv1.EndpointSlice {
		return &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: name, Labels: map[string]string{discoveryv1.LabelManagedBy: manager, discoveryv1.LabelServiceName: name},
		}}
	}
	dying := slice("a", "dying", "mine")
	dying.DeletionTimestamp = &metav1.Time{}
	all := []*discoveryv1.EndpointSlice{
		slice("b", "gone", "mine"), nil, slice("a", "here", "mine"), slice("a", "gone", "other"), dying, slice("a", "gone", "mine"),
	}
	alive := func(s *discoveryv1.EndpointSlice) bool { return s.Labels[discoveryv1.LabelServiceName] == "here" }
	got, err := slicer.Orphans("mine", all, alive)
	if err != nil || !slices.Equal(got, []*discoveryv1.EndpointSlice{all[5], all[0]}) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := slicer.Orphans("mine", all[:1], alive); err == nil || got != nil {
		t.Errorf("with a cold cache: %v, %v", got, err)
	}
	if got, err := slicer.Orphans("mine", all[3:5], alive); err != nil || got != nil {
		t.Errorf("without slices of the manager: %v, %v", got, err)
	}
	if _, err := slicer.Orphans("", nil, nil); err == nil || !strings.Contains(err.Error(), "managedBy") || !strings.Contains(err.Error(), "alive") {
		t.Errorf("without arguments: %v", err)
	}
}
