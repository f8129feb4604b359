package identity

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
}

// Groups finds groups by address type and ports. A few are compared one after the other, more go into a map.
type Groups struct {
	groups []Group
	ids    map[string]int32 // nil for a few
	buf    []byte
}

const few = 8

// Intern returns the id of the group with an address type and canonical ports, new or known.
func (m *Groups) Intern(t int, ports []endpoint.Port) int32 {
	id := m.Find(t, ports)
	if id != None {
		return id
	}
	id = int32(len(m.groups))
	m.groups = append(m.groups, Group{Type: int32(t), Ports: ports})
	switch {
	case m.ids != nil:
		m.ids[string(m.code(t, ports))] = id
	case len(m.groups) > few:
		m.ids = map[string]int32{}
		for i := range m.groups {
			m.ids[string(m.code(int(m.groups[i].Type), m.groups[i].Ports))] = int32(i)
		}
	}
	return id
}

// Find returns the id of a group, or None.
func (m *Groups) Find(t int, ports []endpoint.Port) int32 {
	if m.ids != nil {
		if id, ok := m.ids[string(m.code(t, ports))]; ok {
			return id
		}
		return None
	}
	for id := range m.groups {
		if g := &m.groups[id]; g.Type == int32(t) && slices.Equal(g.Ports, ports) {
			return int32(id)
		}
	}
	return None
}

func (m *Groups) code(t int, ports []endpoint.Port) []byte {
	m.buf = endpoint.AppendPorts(binary.AppendVarint(m.buf[:0], int64(t)), ports)
	return m.buf
}

// All returns the groups, by id. They are those of m until Release.
func (m *Groups) All() []Group { return m.groups }

// Release forgets all groups.
func (m *Groups) Release() {
	clear(m.groups)
	*m = Groups{groups: m.groups[:0], buf: m.buf}
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
