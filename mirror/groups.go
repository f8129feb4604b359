package mirror

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

var families = [2]discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6}

// groups makes one group of each family and list of ports, in this order, with its endpoints in the order of addresses; nil for
// none. Endpoints of equal conditions share them.
func (m *mirroring) groups() []slicer.Group {
	g := &m.gathering
	notReady, ready := conditions.State{}.Conditions(), conditions.State{Ready: true, Serving: true}.Conditions()
	if m.options.asKubernetes() {
		notReady = discoveryv1.EndpointConditions{Ready: notReady.Ready}
		ready = discoveryv1.EndpointConditions{Ready: ready.Ready}
	}
	quotas := g.quotas()
	byList := make([][2]slicer.Group, len(g.ports.lists)) // of each list those of both families
	ips := make([]string, len(g.entries))
	for i, entry := range g.entries {
		from := entry.address.from
		ips[i] = endpoint.Canonical(from.IP)
		e := discoveryv1.Endpoint{Addresses: ips[i : i+1 : i+1], Conditions: notReady, TargetRef: from.TargetRef}
		if entry.ready {
			e.Conditions = ready
		}
		if endpoint.Text(from.NodeName) != "" {
			e.NodeName = from.NodeName
		}
		if from.Hostname != "" {
			e.Hostname = &from.Hostname
		}
		family := 0
		if !entry.address.number.Is4In6() {
			family = 1
		}
		group := &byList[entry.ports][family]
		if group.Endpoints == nil {
			q := quotas[entry.ports]
			group.Endpoints = make([]discoveryv1.Endpoint, 0, q.ready+q.notReady)
		}
		group.Endpoints = append(group.Endpoints, e)
	}
	order := g.ports.order()
	var groups []slicer.Group
	for family := range families {
		for _, list := range order {
			if group := byList[list][family]; len(group.Endpoints) > 0 {
				group.AddressType, group.Ports = families[family], slicePorts(g.ports.lists[list])
				groups = append(groups, group)
			}
		}
	}
	return groups
}
