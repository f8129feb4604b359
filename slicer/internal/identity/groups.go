package identity

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Group is a port set that is wanted for one address type.
type Group struct {
	Type  int32 // of the address type, which the caller numbers
	Ports []endpoint.Port
	ByUID bool  // the targetRef's UID identifies its endpoints
	Rank  int32 // its place in the plan's order
	Count int32 // accepted endpoints
}

// Groups numbers groups by address type and ports. The zero value has none; it is used again after Release.
type Groups struct {
	groups []Group
	ports  []endpoint.Port // of all groups
	table  endpoint.Table
}

// Intern returns the id of the group with an address type and ports, new or known.
func (m *Groups) Intern(t int, ports []discoveryv1.EndpointPort) int32 {
	from := len(m.ports)
	m.ports = endpoint.Ports(m.ports, ports)
	own := slices.Clip(m.ports[from:])
	id, isNew := m.table.Add(m.hash(t, own), m.is(t, own))
	if isNew {
		m.groups = append(m.groups, Group{Type: int32(t), Ports: own})
	} else {
		clear(own)
		m.ports = m.ports[:from]
	}
	return id
}

// Find returns the id of a group, or None.
func (m *Groups) Find(t int, ports []endpoint.Port) int32 {
	return m.table.Find(m.hash(t, ports), m.is(t, ports))
}

func (m *Groups) hash(t int, ports []endpoint.Port) uint64 {
	return m.table.Ports(ports) + uint64(t)
}

func (m *Groups) is(t int, ports []endpoint.Port) func(id int32) bool {
	return func(id int32) bool {
		g := &m.groups[id]
		return g.Type == int32(t) && slices.Equal(g.Ports, ports)
	}
}

// All returns the groups, by id. They are those of m until Release.
func (m *Groups) All() []Group { return m.groups }

// Release forgets all groups.
func (m *Groups) Release() {
	clear(m.groups)
	clear(m.ports)
	m.groups, m.ports = m.groups[:0], m.ports[:0]
	m.table.Reset(0)
}

// Ranked orders groups as plans do, by address type and then by ports, and notes the rank of each.
func Ranked(groups []Group, order []int32) []int32 {
	order = order[:0]
	for g := range groups {
		order = append(order, int32(g))
	}
	slices.SortFunc(order, func(a, b int32) int {
		g, h := &groups[a], &groups[b]
		if g.Type != h.Type {
			return int(g.Type - h.Type)
		}
		return slices.CompareFunc(g.Ports, h.Ports, endpoint.Port.Compare)
	})
	for rank, g := range order {
		groups[g].Rank = int32(rank)
	}
	return order
}
