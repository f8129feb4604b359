package slicer

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/identity"
)

// homes says where the items are at home: in which slice each of them stays, unless that has too many (G5). match makes
// it, and reassignPorts adds the homes in slices that change their ports.
type homes struct {
	items  []home // of each item
	slices []homeSlice
	copies []copied // of items that live slices hold more than once on their ports
}

// home is what the existing slices have for an item.
type home struct {
	// slice is where the item is at home, or none.
	slice int32
	// published says that the slice has the item's ports already: the pair of endpoint and ports is there.
	published bool
	// exact says that previous is the wanted endpoint to the letter, hints apart.
	exact bool
	// previous is what the slice holds for the item; for one without home what any slice of its address type does, or nil.
	previous *discoveryv1.Endpoint
}

// homeSlice is a live slice of ours as the home of items.
type homeSlice struct {
	group   int32            // the port set of the items at home here; none: there are none
	count   int32            // items at home
	dirty   bool             // something in it must change, whatever else it will hold
	crowded bool             // more items would be at home here than may stay in one slice
	found   []identity.Found // which item each of its endpoints is on its own ports; nil where these are not wanted
	taken   []identity.Found // which item each of its endpoints is in group, where that has other ports; nil if not known
}

// homesMemory is the memory of homes.
type homesMemory struct {
	items  []home
	slices []homeSlice
}

// begin returns homes without any item at home.
func (m *homesMemory) begin(items, live int) homes {
	m.items = slices.Grow(m.items[:0], items)[:items]
	m.slices = slices.Grow(m.slices[:0], live)[:live]
	for i := range m.items {
		m.items[i] = home{slice: none}
	}
	for i := range m.slices {
		m.slices[i] = homeSlice{group: none}
	}
	return homes{items: m.items, slices: m.slices}
}

func (m *homesMemory) release() {
	clear(m.items)
	clear(m.slices)
}

// makeHome makes a slice the home of an item whose ports it has.
func (h *homes) makeHome(item, slice, group int32, e *discoveryv1.Endpoint, exact bool) {
	h.items[item] = home{slice: slice, published: true, exact: exact, previous: e}
	s := &h.slices[slice]
	s.group = group
	s.count++
}

// addCopy notes that a slice holds one more copy of an item that has a home.
func (h *homes) addCopy(item, slice int32, e *discoveryv1.Endpoint) {
	it := &h.items[item]
	h.copies = append(h.copies, copied{item, it.slice, it.previous}, copied{item, slice, e})
	if it.slice == slice {
		h.keepPrevious(item, e, false)
	}
}

// keepPrevious notes what a slice has for an item: of several copies the first by content, whatever their order.
func (h *homes) keepPrevious(item int32, e *discoveryv1.Endpoint, exact bool) {
	it := &h.items[item]
	if it.previous == nil || endpoint.Compare(e, it.previous) < 0 {
		it.previous, it.exact = e, exact
	}
}

// reassign makes a slice the home of items whose ports it is to take. What it holds for them is still to be noted.
func (h *homes) reassign(slice, group int32, items []int32, crowded bool) {
	s := &h.slices[slice]
	s.group, s.count, s.dirty, s.crowded = group, int32(len(items)), true, crowded
	for _, i := range items {
		h.items[i] = home{slice: slice}
	}
}
