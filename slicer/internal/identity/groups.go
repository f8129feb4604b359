package identity

import (
	"cmp"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Group is a port set that is wanted for one address type.
type Group struct {
	Type  int32 // of the address type, which the caller numbers
	Ports []endpoint.Port
	ByUID bool // the targetRef's UID identifies its endpoints
}

// Groups numbers groups by address type and ports: in the order in which they come, and once Sort was called in the plan's order.
// The zero value has none; it is used again after Release.
type Groups struct {
	groups []Group
	ports  []endpoint.Port // of all groups
	table  endpoint.Table
}

// Intern returns the number of the group with an address type and ports, new or known. It is not called after Sort.
func (m *Groups) Intern(t int, ports []discoveryv1.EndpointPort) int32 {
	from := len(m.ports)
	m.ports = endpoint.Ports(m.ports, ports)
	own := slices.Clip(m.ports[from:])
	id, isNew := m.table.Add(m.table.Ports(own), m.is(t, own))
	if isNew {
		m.groups = append(m.groups, Group{Type: int32(t), Ports: own})
	} else {
		clear(own)
		m.ports = m.ports[:from]
	}
	return id
}

// Find returns the number of a group, or None.
func (m *Groups) Find(t int, ports []endpoint.Port) int32 {
	return m.table.Find(m.table.Ports(ports), m.is(t, ports))
}

func (m *Groups) is(t int, ports []endpoint.Port) func(id int32) bool {
	return func(id int32) bool {
		g := &m.groups[id]
		return g.Type == int32(t) && slices.Equal(g.Ports, ports)
	}
}

// Sort numbers the groups in the plan's order: by address type and then by ports. It returns the new number of each group, by
// its old one; nil if none has changed.
func (m *Groups) Sort() (numbers []int32) {
	less := func(a, b Group) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), slices.CompareFunc(a.Ports, b.Ports, endpoint.Port.Compare))
	}
	if slices.IsSortedFunc(m.groups, less) {
		return nil
	}
	old := slices.Clone(m.groups)
	slices.SortFunc(m.groups, less)
	m.table.Reset(len(old))
	for g := range m.groups {
		m.table.Add(m.table.Ports(m.groups[g].Ports), func(int32) bool { return false })
	}
	numbers = make([]int32, len(old))
	for g := range old {
		numbers[g] = m.Find(int(old[g].Type), old[g].Ports)
	}
	return numbers
}

// All returns the groups, by number. They are those of m until Release.
func (m *Groups) All() []Group { return m.groups }

// Release forgets all groups.
func (m *Groups) Release() {
	clear(m.groups)
	clear(m.ports)
	m.groups, m.ports = m.groups[:0], m.ports[:0]
	m.table.Reset(0)
}
