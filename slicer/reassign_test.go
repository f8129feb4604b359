package slicer_test

import (
	"fmt"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
)

// lostPorts is n port sets that all want the same 20 endpoints, and n slices that hold these on ports that nobody wants.
func lostPorts(n int) (slicer.Input, []*discoveryv1.EndpointSlice) {
	endpoints := make([]discoveryv1.Endpoint, 20)
	for i := range endpoints {
		endpoints[i].Addresses = []string{fmt.Sprintf("10.0.0.%d", i+1)}
	}
	ports := func(number int) []discoveryv1.EndpointPort {
		port := int32(number)
		return []discoveryv1.EndpointPort{{Port: &port}}
	}
	in := slicer.Input{Set: slicer.Set{Namespace: "shop", Name: "web", ManagedBy: "slices.example.com"}}
	var existing []*discoveryv1.EndpointSlice
	for i := range n {
		in.Groups = append(in.Groups, slicer.Group{AddressType: discoveryv1.AddressTypeIPv4, Ports: ports(1 + i), Endpoints: endpoints})
		s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4, Ports: ports(30000 + i), Endpoints: endpoints}
		s.Namespace, s.Name, s.ResourceVersion = "shop", fmt.Sprintf("web-%d", i), fmt.Sprint(i+1)
		s.Labels = map[string]string{discoveryv1.LabelServiceName: "web", discoveryv1.LabelManagedBy: "slices.example.com"}
		existing = append(existing, s)
	}
	return in, existing
}

// TestReassignIsBounded: where many port sets want the endpoints of many slices that lost their ports, twice as many of both
// cost twice as many looks (G11), and each slice still takes one of the port sets.
func TestReassignIsBounded(t *testing.T) {
	once, twice := slicer.ReassignLooks(lostPorts(400)), slicer.ReassignLooks(lostPorts(800))
	if twice > 2*once+once/10 || once > 20*20*400 {
		t.Errorf("%d looks for 400 port sets and slices, %d for 800", once, twice)
	}
	plan, err := slicer.Compute(lostPorts(400))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range plan.Steps {
		if s.Old == nil || s.New == nil || len(s.New.Endpoints) != 20 {
			t.Fatalf("%v, want 400 updates of 20 endpoints each", s)
		}
	}
}
