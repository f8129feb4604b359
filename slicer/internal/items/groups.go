package items

import (
	"encoding/binary"
	"slices"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Group is a port set that is wanted for one address type.
type Group struct {
	Type  int32 // of the address type, which the caller numbers
	Ports []endpoint.Port
	ByUID bool  // the targetRef's UID identifies its endpoints
	Rank  int32 // its place in the plan's order
	Count int32 // accepted endpoints
	First int32 // the first of its items
}

// Groups finds groups by address type and ports.
type Groups struct {
	ids    map[string]int32
	buf    []byte
	groups []Group
}

// Intern returns the id of the group with an address type and canonical ports, new or known.
func (m *Groups) Intern(t int, ports []endpoint.Port) int32 {
	id := m.Find(t, ports)
	if id == None {
		if m.ids == nil {
			m.ids = map[string]int32{}
		}
		id = int32(len(m.groups))
		m.ids[string(m.buf)] = id
		m.groups = append(m.groups, Group{Type: int32(t), Ports: ports})
	}
	return id
}

// Find returns the id of a group, or None.
func (m *Groups) Find(t int, ports []endpoint.Port) int32 {
	m.buf = endpoint.AppendPorts(binary.AppendVarint(m.buf[:0], int64(t)), ports)
	if id, ok := m.ids[string(m.buf)]; ok {
		return id
	}
	return None
}

// All returns the groups, by id. They are those of m until Release.
func (m *Groups) All() []Group { return m.groups }

// Release forgets all groups.
func (m *Groups) Release() {
	clear(m.ids)
	clear(m.groups)
	m.groups = m.groups[:0]
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
