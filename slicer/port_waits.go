package slicer

import (
	"iter"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/layout"
	"github.com/slicewright/slicewright/slicer/internal/sequence"
)

// portWaits are the waits of rule (2) of G6. An endpoint that slices hold on ports on which nobody wants it any more, and
// that is wanted on other ports, stays on old ones until it is on new ones: one of the slices that hold it waits for one of
// the slices that take it. There is nothing to wait for if some slice holds it before and after its update, if a slice that
// takes it is created, which comes first, or if a slice that holds it is deleted, which comes last.
func portWaits(w *wanted, x *present, h *homes, l *layout.Layout) ([]sequence.Wait, []sequence.Choice) {
	m := moves{w: w}
	types := typesWithMoves(w, x, l)
	for i := range w.items {
		// An endpoint without a place has no home either, and is no move.
		it, at, to := &w.items[i], &h.items[i], l.Places[i]
		if types[w.groups[it.Group].Type] && !to.Created() && !at.published && layout.Place(at.slice) != to {
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
			case to.Created(), !l.Slices[to].Changes(), at.published && holds[at.slice] == n+1:
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
