package slicer_test

import (
	"fmt"
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
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "db",
			Labels: map[string]string{discoveryv1.LabelServiceName: "db"}},
		AddressType: discoveryv1.AddressTypeIPv4,
		Endpoints:   []discoveryv1.Endpoint{{Addresses: []string{"10.0.0.1"}}, {Addresses: []string{"10.0.0.2"}}},
		Ports:       []discoveryv1.EndpointPort{{Name: ptr("http"), Port: ptr(int32(80))}},
	}
}

// holding makes a slice hold n endpoints.
func holding(n int) func(s *discoveryv1.EndpointSlice) {
	return func(s *discoveryv1.EndpointSlice) {
		s.Endpoints = nil
		for i := range n {
			s.Endpoints = append(s.Endpoints, endpoint(fmt.Sprintf("10.0.%d.%d", i/250, i%250)))
		}
	}
}

// TestValidate: what the API server refuses is an error, and what readers drop is listed. Which paths
// the API server refuses, internal/test/conformance compares with its own code.
func TestValidate(t *testing.T) {
	for name, c := range map[string]struct {
		change      func(s *discoveryv1.EndpointSlice)
		unread, err string
	}{
		"a generated name":   {func(s *discoveryv1.EndpointSlice) { s.Name, s.GenerateName = "", "db-" }, "", ""},
		"no name":            {func(s *discoveryv1.EndpointSlice) { s.Name = "" }, "", "metadata.name: Required value"},
		"nothing is wrong":   {func(*discoveryv1.EndpointSlice) {}, "", ""},
		"a loopback address": {func(s *discoveryv1.EndpointSlice) { s.Endpoints[1].Addresses[0] = "127.0.0.1" }, "", "endpoints[1].addresses[0]: Invalid value"},
		"a long spelling": {func(s *discoveryv1.EndpointSlice) {
			s.AddressType = discoveryv1.AddressTypeIPv6
			s.Endpoints = []discoveryv1.Endpoint{{Addresses: []string{"fd00:0::1"}}}
		}, "", "write fd00::1"},
		"an address of the other family": {func(s *discoveryv1.EndpointSlice) { s.Endpoints[0].Addresses[0] = "fd00::1" }, "", "endpoints[0].addresses[0]: Invalid value: \"fd00::1\": is not an IPv4 address: put it into a slice of its own address type"},
		"two ports of one name":          {func(s *discoveryv1.EndpointSlice) { s.Ports = append(s.Ports, s.Ports[0]) }, "", "ports[1].name: Duplicate value"},
		"a finalizer without domain":     {func(s *discoveryv1.EndpointSlice) { s.Finalizers = []string{"keep"} }, "", "metadata.finalizers[0]: Invalid value: \"keep\""},
		"no Service":                     {func(s *discoveryv1.EndpointSlice) { s.Labels = nil }, "metadata.labels[kubernetes.io/service-name]", ""},
		"FQDN": {func(s *discoveryv1.EndpointSlice) {
			s.AddressType = discoveryv1.AddressTypeFQDN
			s.Endpoints = []discoveryv1.Endpoint{{Addresses: []string{"db.example.org"}}}
		}, "addressType", ""},
		"a second address":                  {func(s *discoveryv1.EndpointSlice) { s.Endpoints[0].Addresses = []string{"10.0.0.1", "10.0.0.3"} }, "endpoints[0].addresses", ""},
		"an address twice":                  {func(s *discoveryv1.EndpointSlice) { s.Endpoints[1].Addresses[0] = "10.0.0.1" }, "endpoints[1].addresses[0]", ""},
		"no ports":                          {func(s *discoveryv1.EndpointSlice) { s.Ports = nil }, "ports", ""},
		"a placeholder":                     {func(s *discoveryv1.EndpointSlice) { s.Ports, s.Endpoints = nil, nil }, "", ""},
		"no address":                        {func(s *discoveryv1.EndpointSlice) { s.Endpoints[0].Addresses = nil }, "", "endpoints[0].addresses: Required value"},
		"as many endpoints as there may be": {holding(1000), "", ""},
		"too many endpoints":                {holding(1001), "", "endpoints: Too many: 1001: must have at most 1000 items"},
		"too many addresses": {func(s *discoveryv1.EndpointSlice) {
			s.Endpoints[0].Addresses = slices.Repeat([]string{"10.0.0.3"}, 101)
		}, "endpoints[0].addresses", "endpoints[0].addresses: Too many: 101: must have at most 100 items"},
		"a Node and a hostname that no object can have": {func(s *discoveryv1.EndpointSlice) {
			s.Endpoints[0].NodeName, s.Endpoints[1].Hostname = ptr("a_b"), ptr("c_d")
		}, "", "endpoints[1].hostname: Invalid value: \"c_d\""},
		"a zone twice": {func(s *discoveryv1.EndpointSlice) {
			s.Endpoints[0].Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "a"}, {Name: "a"}}}
		}, "", "endpoints[0].hints.forZones[1].name: Duplicate value"},
		"too many zones": {func(s *discoveryv1.EndpointSlice) {
			s.Endpoints[0].Hints = &discoveryv1.EndpointHints{
				ForZones: slices.Repeat([]discoveryv1.ForZone{{Name: "a"}}, 9),
				ForNodes: []discoveryv1.ForNode{{Name: "a_b"}},
			}
		}, "", "endpoints[0].hints.forZones: Too many: 9: must have at most 8 items"},
		"a Node in a hint": {func(s *discoveryv1.EndpointSlice) {
			s.Endpoints[0].Hints = &discoveryv1.EndpointHints{ForNodes: []discoveryv1.ForNode{{Name: "a_b"}}}
		}, "", "endpoints[0].hints.forNodes[0].name: Invalid value"},
		"an unknown type":   {func(s *discoveryv1.EndpointSlice) { s.AddressType = "IPv5" }, "", "addressType: Unsupported value"},
		"a known finalizer": {func(s *discoveryv1.EndpointSlice) { s.Finalizers = []string{"kubernetes", "orphan"} }, "", ""},
		"no number":         {func(s *discoveryv1.EndpointSlice) { s.Ports[0].Port = nil }, "ports[0].port", ""},
		"number 0":          {func(s *discoveryv1.EndpointSlice) { s.Ports[0].Port = ptr(int32(0)) }, "ports[0].port", ""},
		"old topology":      {func(s *discoveryv1.EndpointSlice) { s.Endpoints[0].DeprecatedTopology = map[string]string{"a": "b"} }, "endpoints[0].deprecatedTopology", ""},
		"a hint for no zone": {func(s *discoveryv1.EndpointSlice) {
			s.Endpoints[0].Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{}}}
		}, "endpoints[0].hints.forZones[0].name", ""},
	} {
		s := handwritten()
		c.change(s)
		unread, err := slicer.Validate(s)
		var paths []string
		for _, u := range unread {
			if paths = append(paths, u.Path); u.Reason != "Unread" || u.Err == nil {
				t.Errorf("%s: %+v", name, u)
			}
		}
		if got := strings.Join(paths, " "); got != c.unread {
			t.Errorf("%s: readers drop %q, want %q", name, got, c.unread)
		}
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: error %v, want %q", name, err, c.err)
		}
		if name == "too many zones" && strings.Contains(err.Error(), "forNodes") {
			t.Errorf("the API server looks at no Nodes after %v", err)
		}
	}
	if _, err := slicer.Validate(nil); err == nil {
		t.Error("a nil slice is accepted")
	}
}

func TestOrphans(t *testing.T) {
	slice := func(namespace, name, manager string) *discoveryv1.EndpointSlice {
		return &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: name,
			Labels: map[string]string{discoveryv1.LabelManagedBy: manager, discoveryv1.LabelServiceName: name},
		}}
	}
	dying := slice("a", "dying", "mine")
	dying.DeletionTimestamp = &metav1.Time{}
	all := []*discoveryv1.EndpointSlice{
		slice("b", "gone", "mine"), nil, slice("a", "here", "mine"), slice("a", "gone", "other"), dying, slice("a", "gone", "mine"),
		slice("a", "away", "mine"),
	}
	alive := func(s *discoveryv1.EndpointSlice) bool { return s.Labels[discoveryv1.LabelServiceName] == "here" }
	got, err := slicer.Orphans("mine", all, alive)
	if err != nil || fmt.Sprint(got.Steps) != "[delete away (NothingLeft) delete gone (NothingLeft) delete gone (NothingLeft)]" ||
		got.Steps[2].Old != all[0] {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := slicer.Orphans("mine", all[:1], alive); err == nil || got.Steps != nil {
		t.Errorf("with a cold cache: %v, %v", got, err)
	}
	if got, err := slicer.Orphans("mine", all[3:5], alive); err != nil || got.Steps != nil || len(got.Normal) != 1 {
		t.Errorf("without slices of the manager: %v, %v", got, err)
	}
	if _, err := slicer.Orphans("", nil, nil); err == nil || !strings.Contains(err.Error(), "managedBy") ||
		!strings.Contains(err.Error(), "alive") {
		t.Errorf("without arguments: %v", err)
	}
}
