package slicer

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/sequence"
)

// portWaits are the waits of rule (2) of G6. An endpoint that slices hold on ports on which nobody wants it any more, and
// that is wanted on other ports, stays on old ones until it is on new ones: one of the slices that hold it waits for one of
// the slices that take it. There is nothing to wait for if some slice holds it before and after its update, if a slice that
// takes it is created, which comes first, or if a slice that holds it is deleted, which comes last.
//
// Who is who depends on the group: one goes by addresses, another one by UID. So an endpoint is looked at once as the
// groups of each kind see it.
func portWaits(w *wanted, x *present, h homes, l layout, hasher endpoint.Hasher) ([]sequence.Wait, []sequence.Choice) {
	types := typesWithMoves(w, x, l)
	if types == (typeSet{}) {
		return nil, nil
	}
	var waits []sequence.Wait
	var choices []sequence.Choice
	// An endpoint without a place has no home either, and is no move.
	for _, byUID := range []bool{false, true} {
		m := moves{byUID: byUID, hasher: hasher}
		m.hasher.AddressesOnly = false
		for i := range w.items {
			it, at, to := &w.items[i], &h.items[i], l.places[i]
			g := &w.groups[it.Group]
			if g.ByUID == byUID && types[g.Type] && to < createBase && !at.published && at.slice != to {
				m.add(it.Endpoint, g.Type)
			}
		}
		if len(m.list) > 0 && m.findHolders(x, l) {
			m.findItems(w)
			for _, c := range m.choices(h, l) {
				if len(c.Later) == 1 && len(c.Earlier) == 1 {
					waits = append(waits, sequence.Wait{Later: c.Later[0], Earlier: c.Earlier[0], Rank: sequence.Firm})
				} else {
					choices = append(choices, c)
				}
			}
		}
	}
	return waits, choices
}

// typesWithMoves are the address types in which a slice that is written or deleted may hold an endpoint that a port set
// other than the slice's own wants.
func typesWithMoves(w *wanted, x *present, l layout) (types typeSet) {
	var portSets [len(addressTypes)]int
	for g := range w.groups {
		portSets[w.groups[g].Type]++
	}
	for i := range x.slices {
		if s := &x.slices[i]; s.typ != none && l.slices[i].changes() && (s.ports == none || portSets[s.typ] > 1) {
			types[s.typ] = true
		}
	}
	return types
}

// move is an endpoint that a slice takes on ports on which no slice holds it.
type move struct {
	endpoint *discoveryv1.Endpoint
	typ      int32
	holders  []int   // slices that hold it and are updated
	items    []int32 // that are this endpoint, on any ports
	safe     bool    // some slice publishes it until another one does, in any order of updates
	next     int32   // the next move whose endpoint has the same hash, from 1; 0: none
}

// moves finds moves by their endpoint, which is identified by UID or by addresses.
type moves struct {
	byUID  bool
	hasher endpoint.Hasher
	list   []move
	heads  map[uint64]int32 // the first move with a hash, from 1
}

func (m *moves) add(e *discoveryv1.Endpoint, t int32) {
	if m.find(e, t) != nil {
		return
	}
	if m.heads == nil {
		m.heads = map[uint64]int32{}
	}
	hash := m.hash(e)
	m.list = append(m.list, move{endpoint: e, typ: t, next: m.heads[hash]})
	m.heads[hash] = int32(len(m.list))
}

// find returns the move of an endpoint, or nil. It is valid until the next add.
func (m *moves) find(e *discoveryv1.Endpoint, t int32) *move {
	for n := m.heads[m.hash(e)]; n > 0; n = m.list[n-1].next {
		if found := &m.list[n-1]; found.typ == t && m.same(found.endpoint, e) {
			return found
		}
	}
	return nil
}

func (m *moves) hash(e *discoveryv1.Endpoint) uint64 {
	if m.byUID {
		return m.hasher.String(endpoint.UID(e))
	}
	return m.hasher.Endpoint(e)
}

func (m *moves) same(a, b *discoveryv1.Endpoint) bool {
	if m.byUID {
		return endpoint.UID(a) == endpoint.UID(b)
	}
	return endpoint.SameEndpoint(a, b)
}

// findHolders notes which slices hold the endpoints, and reports whether there are any. It leaves out slices that are not
// written: these keep what they hold, so that choices finds an item there.
func (m *moves) findHolders(x *present, l layout) (found bool) {
	for i := range x.slices {
		s, o := &x.slices[i], &l.slices[i]
		if !o.changes() {
			continue
		}
		for j := range s.object.Endpoints {
			if mv := m.find(&s.object.Endpoints[j], s.typ); mv != nil {
				found = true
				if mv.safe = mv.safe || o.fate == deleted; o.fate != deleted {
					mv.holders = append(mv.holders, i)
				}
			}
		}
	}
	for _, object := range x.stale {
		t := typeIndex(object.AddressType)
		for j := range object.Endpoints {
			if mv := m.find(&object.Endpoints[j], int32(t)); mv != nil {
				mv.safe = true
			}
		}
	}
	return found
}

func (m *moves) findItems(w *wanted) {
	for i := range w.items {
		if mv := m.find(w.items[i].Endpoint, w.groups[w.items[i].Group].Type); mv != nil && len(mv.holders) > 0 {
			mv.items = append(mv.items, int32(i))
		}
	}
}

// choices has the slices that hold and that take each endpoint that may go missing. One that does both publishes it
// all the time, and a sequence.Choice with a slice on both sides says nothing.
func (m *moves) choices(h homes, l layout) []sequence.Choice {
	var choices []sequence.Choice
	holds := make([]int, len(l.slices)) // the last of the moves that the slice holds, from 1
	for n := range m.list {
		mv := &m.list[n]
		for _, i := range mv.holders {
			holds[i] = n + 1
		}
		var takers []int
		for _, i := range mv.items {
			at, to := &h.items[i], l.places[i]
			switch {
			case to == none:
			case to >= createBase, !l.slices[to].changes(), at.published && holds[at.slice] == n+1:
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
