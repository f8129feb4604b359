package slicer

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/identity"
	"github.com/slicewright/slicewright/slicer/internal/layout"
	"github.com/slicewright/slicewright/slicer/internal/meta"
)

// homes says where the items are at home: in which slice each of them stays, unless that has too many. match fills
// it, reassignPorts adds the homes in slices that change their ports, and no stage after these changes it.
type homes struct {
	items  []home // of each item
	slices []homeSlice
	copies []copied // of items that live slices hold more than once on their ports
}

// split returns which of the live slices above the maximum must come down to it because their hints have to change: overMax, and
// from the second time on all, so that hints which move on from one slice to the next cost three rounds and not one for each slice.
// A slice that is in it is written with at most the maximum, so hints ask for each slice once. before is nil at first.
func split(before []bool, overMax []int32, live int) []bool {
	grown := slices.Repeat([]bool{before != nil}, live)
	for _, i := range overMax {
		grown[i] = true
	}
	return grown
}

// copied is one of several copies that live slices hold of a wanted endpoint on its ports.
type copied struct {
	item, slice int32
	endpoint    *discoveryv1.Endpoint
}

// home is what the existing slices have for an item.
type home struct {
	// slice is where the item is at home, or none.
	slice int32
	// published says that the slice already publishes the item on the item's ports.
	published bool
	// previous is what the slice holds for the item; for one without home what any slice of its address type does, or nil.
	previous *discoveryv1.Endpoint
}

// homeSlice is a live slice of ours as the home of items.
type homeSlice struct {
	group   int32            // the port set of the items at home here; none: there are none
	count   int32            // items at home
	dirty   bool             // something in it must change, whatever else it will hold
	copies  bool             // it holds items, on their ports, that are at home in another slice, or one twice
	overMax bool             // more items would be at home here than may stay in one slice
	found   []identity.Found // which item each of its endpoints is on its own ports, or in group where nobody wants these; nil: not known
}

// begin makes all items unassigned.
func (h *homes) begin(items, live int) {
	h.items = slices.Grow(h.items[:0], items)[:items]
	h.slices = slices.Grow(h.slices[:0], live)[:live]
	h.copies = nil
	for i := range h.items {
		h.items[i] = home{slice: none}
	}
	for i := range h.slices {
		h.slices[i] = homeSlice{group: none}
	}
}

func (h *homes) release() {
	clear(h.items)
	clear(h.slices)
	*h = homes{items: h.items[:0], slices: h.slices[:0]}
}

// addCopy notes that a slice holds one more copy of an item that has a home.
func (h *homes) addCopy(item, slice int32, e *discoveryv1.Endpoint) {
	it := &h.items[item]
	h.copies = append(h.copies, copied{item, it.slice, it.previous}, copied{item, slice, e})
	if it.slice == slice {
		h.keepPrevious(item, e)
	}
}

// keepPrevious notes what a slice has for an item: of several copies the first by content, whatever their order.
func (h *homes) keepPrevious(item int32, e *discoveryv1.Endpoint) {
	if it := &h.items[item]; it.previous == nil || endpoint.Compare(e, it.previous) < 0 {
		it.previous = e
	}
}

// match finds the home of every item: the slice with its ports that holds it, of several the one with the highest
// resourceVersion. A slice in which something is not as wanted is dirty. split has the slices above the maximum that
// must come down to it now; nil: none.
func match(r *rules, w *wanted, x *present, split []bool, h *homes) {
	h.begin(len(w.items), len(x.slices))
	w.ids.Rewind()
	for _, i := range x.newest {
		s, at := &x.slices[i], &h.slices[i]
		if s.typ == none {
			continue
		}
		at.dirty = s.drift != (meta.Drift{})
		if s.ports == none {
			continue
		}
		at.found = w.ids.Identify(s.object.Endpoints, s.ports)
		matchSlice(r, w, h, i, s)
		if (r.options.SplitOversize || split != nil && split[i]) && !r.layout.Fits(int(at.count)) {
			at.dirty = true
		}
	}
}

// matchSlice notes which items a slice is the home of, and whether something in it must change.
func matchSlice(r *rules, w *wanted, h *homes, index int32, s *liveSlice) {
	here, unhinted := &h.slices[index], r.mode == hints.None
	for j, at := range here.found {
		e := &s.object.Endpoints[j]
		if at.Item == none {
			here.dirty = true
			continue
		}
		if h.items[at.Item].slice != none {
			here.copies = true
			here.dirty = true
			h.addCopy(at.Item, index, e)
			continue
		}
		h.items[at.Item] = home{slice: index, published: true, previous: e}
		here.group = s.ports
		here.count++
		if here.dirty || at.Exact && unhinted && e.Hints == nil {
			continue
		}
		wanted := w.items[at.Item].Endpoint
		here.dirty = !at.Exact && !r.sameContent(wanted, e) || !r.sameWantedHints(wanted, e)
	}
}

// stay begins a layout in which every item is at home, whatever its slice has too many.
func (h *homes) stay(x *present, l *layout.Layout) {
	l.Begin(len(h.items), len(h.slices))
	for i := range h.items {
		l.Places = append(l.Places, layout.Place(h.items[i].slice))
	}
	for i := range h.slices {
		s, at := &x.slices[i], &h.slices[i]
		l.Slices = append(l.Slices, layout.Slice{
			Class: s.typ, Ports: s.ports, Unlike: s.unlikePlaceholder(), Group: at.group, Stay: at.count, Written: at.dirty,
		})
	}
}
