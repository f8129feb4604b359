package slicer

import (
	"encoding/binary"
	"slices"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// group is a port set that is wanted for one address type.
type group struct {
	typ   int32 // index into addressTypes
	ports []endpoint.Port
	byUID bool  // the targetRef's UID identifies its endpoints
	rank  int32 // its place in the plan's order
	count int32 // accepted endpoints
	first int32 // the first of its items
}

// groupIDs finds groups by address type and ports.
type groupIDs struct {
	ids    map[string]int32
	buf    []byte
	groups []group
}

// intern returns the id of the group with an address type and canonical ports, new or known.
func (m *groupIDs) intern(t int, ports []endpoint.Port) int32 {
	id := m.find(t, ports)
	if id == none {
		id = int32(len(m.groups))
		m.ids[string(m.buf)] = id
		m.groups = append(m.groups, group{typ: int32(t), ports: ports})
	}
	return id
}

// find returns the id of a group, or none.
func (m *groupIDs) find(t int, ports []endpoint.Port) int32 {
	m.buf = endpoint.AppendPorts(binary.AppendVarint(m.buf[:0], int64(t)), ports)
	if id, ok := m.ids[string(m.buf)]; ok {
		return id
	}
	return none
}

func (m *groupIDs) release() {
	clear(m.ids)
	clear(m.groups)
	m.groups = m.groups[:0]
}

// ranked orders groups as plans do, by address type and then by ports, and notes the rank of each.
func ranked(groups []group, order []int32) []int32 {
	order = order[:0]
	for g := range groups {
		order = append(order, int32(g))
	}
	slices.SortFunc(order, func(a, b int32) int {
		g, h := &groups[a], &groups[b]
		if g.typ != h.typ {
			return int(g.typ - h.typ)
		}
		return slices.CompareFunc(g.ports, h.ports, endpoint.Port.Compare)
	})
	for rank, g := range order {
		groups[g].rank = int32(rank)
	}
	return order
}
