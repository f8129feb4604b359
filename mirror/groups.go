package mirror

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// groups returns one group for each family and list of ports, in this order, with its endpoints in
// the order of addresses. It returns nil if there are none. Endpoints with equal conditions share
// the memory of the conditions. If readyOnly is set, serving and terminating are nil.
func (g *gathering) groups(readyOnly bool) []slicer.Group {
	states := [2]discoveryv1.EndpointConditions{conditions.State{Ready: true, Serving: true}.API(),
		conditions.State{}.API()}
	if readyOnly {
		states[0].Serving = nil
		states[0].Terminating = nil
		states[1].Serving = nil
		states[1].Terminating = nil
	}
	byList := make([][2]slicer.Group, len(g.ports.lists)) // by list of ports, then by family
	ips := make([]string, len(g.entries))
	for i, entry := range g.entries {
		from := entry.address.from
		ips[i] = endpoint.Canonical(from.IP)
		e := discoveryv1.Endpoint{Addresses: ips[i : i+1 : i+1], Conditions: states[entry.unready],
			TargetRef: from.TargetRef}
		if endpoint.Text(from.NodeName) != "" {
			e.NodeName = from.NodeName
		}
		if from.Hostname != "" {
			e.Hostname = &from.Hostname
		}
		group := &byList[entry.ports][slices.Index(endpoint.Families[:], endpoint.AddressType(from.IP))]
		group.Endpoints = append(group.Endpoints, e)
	}
	order := g.ports.order()
	var groups []slicer.Group
	for family, addressType := range endpoint.Families {
		for _, list := range order {
			if group := byList[list][family]; len(group.Endpoints) > 0 {
				group.AddressType, group.Ports = addressType, slicePorts(g.ports.lists[list].ports)
				groups = append(groups, group)
			}
		}
	}
	return groups
}
