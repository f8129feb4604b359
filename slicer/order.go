package slicer

import (
	"iter"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/layout"
	"github.com/slicewright/slicewright/slicer/internal/sequence"
)

// The order of writes. Creates come first and deletes last, so that no update has to wait for a create, and no delete is waited
// for. Updates are in the order of their names, except that one update may wait for another:
//
//	rule       which slice waits                          for which                         rank
//	homeWaits  one that an endpoint leaves                that which takes the endpoint     Strict
//	portWaits  one that holds an endpoint on lost ports   one that takes it on new ports    Firm, or a Choice
//	copyWaits  one that gives up a good copy              that which holds the endpoint     Soft
//
// Each rule is a function that returns waits and knows nothing of the others. Package sequence finds the order, and the ranks say what
// becomes of waits that contradict each other:
//
//   - homeWaits make no cycle. A slice gives up endpoints because it has too many, and then takes none; or because it dissolves, and
//     then its group has room for them in the slices that stay. Such a slice may take endpoints of another group, but no group gives
//     up a slice and takes another one. So of three slices that wait for each other in a row, the last waits for none.
//   - portWaits may make a cycle, alone or with homeWaits: two slices that swap endpoints of two port sets wait for each other. One
//     endpoint then is missing in between, in any order. The slices of the cycle follow each other directly, so that it is missing
//     as short as possible. Where an endpoint has a choice of slices, the first by name that close no cycle wait for each other.
//   - A wait of copyWaits that would close a cycle is dropped. So a copy, which is better than what the home has, never makes an
//     endpoint go missing that homeWaits or portWaits keep.
//
// TestDrawnAgainstPermutations compares the order with all others that there are. A rule to be added here is one more function, and
// its rank says who yields: Strict only if it makes no cycle with homeWaits.

// updateOrder lists the slices to update, so that no endpoint is missing after any of them.
func updateOrder(w *wanted, x *present, h *homes, l *layout.Layout) []int32 {
	var updates []int32
	for i := range l.Slices {
		if l.Slices[i].Updated() {
			updates = append(updates, int32(i))
		}
	}
	if len(updates) < 2 {
		return updates
	}
	byPorts, choices := portWaits(w, x, h, l)
	waits := slices.Concat(homeWaits(h, l), byPorts, copyWaits(w, h, l))
	waits = slices.DeleteFunc(waits, func(w sequence.Wait) bool { // a create comes first and a delete last anyway
		return !l.Live(layout.Place(w.Earlier)) || l.Slices[w.Later].Outcome == layout.Deleted
	})
	updates = updates[:0]
	for _, i := range sequence.Order(len(l.Slices), waits, choices) {
		if l.Slices[i].Updated() {
			updates = append(updates, int32(i))
		}
	}
	return updates
}

// homeWaits: a slice that an endpoint leaves waits for the slice that takes it, even if that one holds a copy already. Here the
// maximum is 2 and web-a waits for web-b:
//
//	web-a [1 2 3] -> [1 2]
//	web-b [4]     -> [3 4]
//
// An endpoint that is published always has a place: where nothing can be created, none leaves its home. One that is at home in a
// slice only because the slice is to take the endpoint's ports is not published there yet: portWaits has it.
func homeWaits(h *homes, l *layout.Layout) []sequence.Wait {
	var waits []sequence.Wait
	for i, to := range l.Places {
		if at := &h.items[i]; at.published && to != layout.Place(at.slice) {
			waits = append(waits, sequence.Wait{Later: int(at.slice), Earlier: int(to), Rank: sequence.Strict})
		}
	}
	return waits
}

// copyWaits: a slice that gives up a good copy of an endpoint waits for the slice that will hold the endpoint, where that one has no
// good copy of its own yet. Here web-a is the home of 1, which is wanted ready, and web-b waits for web-a:
//
//	web-a [1{!ready}] -> [1]
//	web-b [1 2]       -> [2]
//
// An endpoint that has copies always has a place, as homeWaits says of published ones.
func copyWaits(w *wanted, h *homes, l *layout.Layout) []sequence.Wait {
	if len(h.copies) == 0 {
		return nil
	}
	safe := map[int32]bool{} // items of which the slice that will hold them has a good copy
	for _, c := range h.copies {
		if layout.Place(c.slice) == l.Places[c.item] && c.good(w) {
			safe[c.item] = true
		}
	}
	var waits []sequence.Wait
	for _, c := range h.copies {
		if !safe[c.item] && c.good(w) {
			waits = append(waits, sequence.Wait{Later: int(c.slice), Earlier: int(l.Places[c.item]), Rank: sequence.Soft})
		}
	}
	return waits
}

// good reports whether the copy has the wanted addresses and, if the endpoint is wanted ready, is ready.
func (c *copied) good(w *wanted) bool {
	e, wanted := c.endpoint, w.items[c.item].Endpoint
	return endpoint.SameAddressList(e.Addresses, wanted.Addresses) &&
		(conditions.Of(e.Conditions).Ready || !conditions.Of(wanted.Conditions).Ready)
}

// portWaits: an endpoint that slices hold on ports on which nobody wants it any more, and that is wanted on other ports, stays on old
// ones until it is on new ones. One of the slices that hold it waits for one of the slices that take it; a Choice where there are
// several. Here web-a waits for web-b:
//
//	web-a http:80 [1 2] -> http:8080 [2]
//	web-b http:81 [3]   -> http:8080 [1 3]
//
// There is nothing to wait for if some slice holds it before and after its update, if a slice that takes it is created, which comes
// first, or if a slice that holds it is deleted, which comes last.
func portWaits(w *wanted, x *present, h *homes, l *layout.Layout) ([]sequence.Wait, []sequence.Choice) {
	m := moves{w: w}
	types := typesWithMoves(w, x, l)
	for i := range w.items {
		it, at, to := &w.items[i], &h.items[i], l.Places[i]
		if types[w.groups[it.Group].Type] && l.Live(to) && !at.published && layout.Place(at.slice) != to {
			m.add(it.ID)
		}
	}
	if len(m.list) == 0 || !m.findHolders(x, l) {
		return nil, nil
	}
	m.findItems()
	var waits []sequence.Wait
	var choices []sequence.Choice
	for _, c := range m.choices(h, l) {
		if len(c.Later) == 1 && len(c.Earlier) == 1 {
			waits = append(waits, sequence.Wait{Later: c.Later[0], Earlier: c.Earlier[0], Rank: sequence.Firm})
		} else {
			choices = append(choices, c)
		}
	}
	return waits, choices
}

// typesWithMoves are the address types in which a slice that is written or deleted may hold an endpoint that a port set
// other than the slice's own wants.
func typesWithMoves(w *wanted, x *present, l *layout.Layout) (types typeSet) {
	var portSets [len(endpoint.AddressTypes)]int
	for g := range w.groups {
		portSets[w.groups[g].Type]++
	}
	for i := range x.slices {
		if s := &x.slices[i]; s.typ != none && l.Slices[i].Changes() && (s.ports == none || portSets[s.typ] > 1) {
			types[s.typ] = true
		}
	}
	return types
}

// move is an endpoint that a slice takes on ports on which no slice holds it.
type move struct {
	holders []int   // slices that hold it and are updated
	items   []int32 // that are this endpoint, on any ports
	safe    bool    // some slice publishes it until another one does, in any order of updates
}

// moves finds moves by the identity of their endpoint.
type moves struct {
	w    *wanted
	list []move
	byID []int32 // the move of each identity, from 1; 0: none
	ids  []int32 // of the endpoint at hand
}

func (m *moves) add(id int32) {
	if m.byID == nil {
		m.byID = make([]int32, m.w.ids.Identities())
	}
	if m.byID[id] == 0 {
		m.list = append(m.list, move{})
		m.byID[id] = int32(len(m.list))
	}
}

// findHolders notes which slices hold the endpoints, and reports whether there are any. It leaves out slices that are not
// written: these keep what they hold, so that choices finds an item there.
func (m *moves) findHolders(x *present, l *layout.Layout) (found bool) {
	for i := range x.slices {
		s, o := &x.slices[i], &l.Slices[i]
		if !o.Changes() {
			continue
		}
		for j := range s.object.Endpoints {
			for mv := range m.of(&s.object.Endpoints[j], s.typ) {
				found = true
				if o.Outcome == layout.Deleted {
					mv.safe = true
				} else {
					mv.holders = append(mv.holders, i)
				}
			}
		}
	}
	for _, object := range x.stale {
		for j := range object.Endpoints {
			for mv := range m.of(&object.Endpoints[j], int32(typeIndex(object.AddressType))) {
				mv.safe = true
			}
		}
	}
	return found
}

// findItems notes which items the endpoints are. In a group that goes by UID an item is found by its addresses too, where
// another group goes by these.
func (m *moves) findItems() {
	for i := range m.w.items {
		it := &m.w.items[i]
		for mv := range m.of(it.Endpoint, m.w.groups[it.Group].Type) {
			if len(mv.holders) > 0 {
				mv.items = append(mv.items, int32(i))
			}
		}
	}
}

// of yields the moves of an endpoint: at most one by address and one by UID.
func (m *moves) of(e *discoveryv1.Endpoint, typ int32) iter.Seq[*move] {
	return func(yield func(*move) bool) {
		m.ids = m.w.ids.IDs(m.ids[:0], e, typ)
		for _, id := range m.ids {
			if n := m.byID[id]; n > 0 && !yield(&m.list[n-1]) {
				return
			}
		}
	}
}

// choices has the slices that hold and that take each endpoint that may go missing. One that does both publishes it
// all the time, and a sequence.Choice with a slice on both sides says nothing.
func (m *moves) choices(h *homes, l *layout.Layout) []sequence.Choice {
	var choices []sequence.Choice
	holds := make([]int, len(l.Slices)) // the last of the moves that the slice holds, from 1
	for n := range m.list {
		mv := &m.list[n]
		for _, i := range mv.holders {
			holds[i] = n + 1
		}
		var takers []int
		for _, i := range mv.items {
			at, to := &h.items[i], l.Places[i]
			switch {
			case to == layout.Nowhere:
			case !l.Live(to), !l.Slices[to].Changes(), at.published && holds[at.slice] == n+1:
				mv.safe = true
			default:
				takers = append(takers, int(to))
			}
		}
		if len(takers) > 0 && !mv.safe {
			slices.Sort(takers)
			choices = append(choices, sequence.Choice{Later: slices.Compact(mv.holders), Earlier: slices.Compact(takers)})
		}
	}
	return choices
}
