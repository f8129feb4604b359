package slicer

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/meta"
)

// match finds the current slice of every item: the slice that holds the item and has the item's
// ports. Ties go to the slice with the highest resourceVersion. The current slice is the item's
// first place. If something in a slice is not as wanted, the slice is marked as changed.
func (p *placement) match() {
	for _, n := range p.present.byVersion {
		s := &p.slices[n]
		if s.typ == none {
			continue
		}
		s.changed = s.drift != (meta.Drift{})
		if s.portsBefore == none {
			continue
		}
		p.storeFound(s, s.portsBefore)
		p.matchSlice(n)
		if s.split && !p.req.limits.Fits(int(s.stay)) {
			s.changed = true
		}
	}
}

// storeFound stores, for each endpoint of a slice, its item on the ports of a port set.
func (p *placement) storeFound(s *placedSlice, portSet int32) {
	from := len(p.found)
	p.found = p.wanted.index.itemsOf(p.found, s.object.Endpoints, portSet)
	s.found, s.foundOn = p.found[from:len(p.found):len(p.found)], portSet
}

// matchSlice makes a slice the current slice of the items that it holds and that have no current
// slice yet. It marks the slice as changed if something in it must change.
func (p *placement) matchSlice(n int32) {
	s, unhinted := &p.slices[n], p.req.Hints.Mode == hints.None
	for j, f := range s.found {
		e := &s.object.Endpoints[j]
		if f.item == none {
			s.changed = true
			continue
		}
		it := &p.items[f.item]
		if it.current != none {
			s.copies, s.changed = true, true
			p.addCopy(f.item, n, e)
			continue
		}
		it.current, it.place = n, n
		it.published = true
		it.previous = e
		s.portsAfter = s.portsBefore
		s.stay++
		if s.changed || f.exact && unhinted && e.Hints == nil {
			continue // the slice is changed already, or the endpoint is as wanted: true for most endpoints
		}
		s.changed = !f.exact && !p.req.sameContent(it.endpoint, e) || !p.req.sameWantedHints(it.endpoint, e)
	}
}

// addCopy notes that a slice holds one more copy of an item that has a current slice.
func (p *placement) addCopy(i, n int32, e *discoveryv1.Endpoint) {
	it := &p.items[i]
	// The copy in the current slice is listed as well, because it may be the right copy (see
	// copyWaits). If there is a third copy, it is listed a second time, which changes nothing.
	p.copies = append(p.copies, heldCopy{i, it.current, it.previous}, heldCopy{i, n, e})
	if it.current == n {
		it.keepPrevious(e)
	}
}

// keepPrevious notes the endpoint that a slice has for an item. If the slice has several copies,
// the first one in canonical order is kept, so that the order of the endpoints in the slice does
// not matter.
func (it *placedItem) keepPrevious(e *discoveryv1.Endpoint) {
	if it.previous == nil || endpoint.Compare(e, it.previous) < 0 {
		it.previous = e
	}
}

// reassignPorts gives a new port set to each slice whose ports no item wants any more: the port set
// that wants most of the unassigned endpoints in the slice. The slice becomes the current slice of
// these endpoints, up to the number that may stay in one slice. So a changed target port moves no
// endpoint to another slice. Slices are taken by resourceVersion, the highest first.
func (p *placement) reassignPorts() {
	lost := func(n int32) bool {
		s := &p.slices[n]
		return s.typ != none && s.portsBefore == none && len(s.object.Endpoints) > 0
	}
	if !slices.ContainsFunc(p.present.byVersion, lost) {
		return
	}
	count := p.wanted.index.count()
	a := reassignment{
		placement:  p,
		unassigned: newCandidates(p.wanted.index.row, func(i int32) bool { return p.items[i].current == none }),
		previous:   make([]*discoveryv1.Endpoint, count),
		lastSeen:   make([]int32, count),
	}
	for _, n := range p.present.byVersion {
		if lost(n) {
			a.see(n)
			if portSet := a.mostWanted(); portSet != none {
				p.assign(n, portSet)
			}
		}
	}
	p.notePrevious(a.previous)
}

// reassignment is the state of reassignPorts.
type reassignment struct {
	*placement
	unassigned candidates
	previous   []*discoveryv1.Endpoint // by identity: the endpoint in the slices seen so far, or nil
	lastSeen   []int32                 // by identity: the number of the last slice that has it, plus 1
	voters     []int32                 // unassigned items of the endpoints in the last slice that was seen
}

// see lists the unassigned items of the endpoints in a slice, and notes these endpoints.
func (a *reassignment) see(n int32) {
	a.voters = a.voters[:0]
	s := &a.slices[n]
	for j := range s.object.Endpoints {
		e := &s.object.Endpoints[j]
		id, _ := a.wanted.index.identity(e, s.typ)
		if id == none {
			continue
		}
		if previous := &a.previous[id]; *previous == nil || endpoint.Compare(e, *previous) < 0 {
			*previous = e
		}
		if a.lastSeen[id] != n+1 {
			a.lastSeen[id] = n + 1
			a.voters = a.unassigned.of(a.voters, id)
		}
	}
}

// mostWanted returns the port set to which most of the voters belong, or none if there are no
// voters. Ties go to the first port set in the plan's order.
func (a *reassignment) mostWanted() int32 {
	best, votes := int32(none), map[int32]int{}
	for _, i := range a.voters {
		votes[a.items[i].portSet]++
	}
	for portSet, count := range votes {
		if best == none || count > votes[best] || count == votes[best] && portSet < best {
			best = portSet
		}
	}
	return best
}

// assign gives a slice a port set. The slice becomes the current slice of the unassigned items of
// the port set that it holds. If these are more than may stay in one slice, the first in canonical
// order stay.
func (p *placement) assign(n, portSet int32) {
	s := &p.slices[n]
	p.storeFound(s, portSet)
	var items []int32
	for _, f := range s.found {
		if f.item != none && p.items[f.item].current == none {
			items = append(items, f.item)
		}
	}
	slices.Sort(items)
	items = slices.Compact(items) // a slice may hold an endpoint twice
	stay := p.req.limits.Keep(len(items))
	if stay < len(items) {
		p.wanted.index.sort(items)
	}
	for _, i := range items[:stay] {
		p.items[i].current, p.items[i].place = n, n
	}
	s.portsAfter = portSet
	s.changed = true
	s.stay = int32(stay)
	s.crowded = stay < len(items)
	for j, f := range s.found {
		if f.item != none && p.items[f.item].current == n {
			p.items[f.item].keepPrevious(&s.object.Endpoints[j])
		}
	}
}

// notePrevious notes, for each item that is still unassigned, the endpoint that slices have for it.
func (p *placement) notePrevious(previous []*discoveryv1.Endpoint) {
	for i := range p.items {
		if it := &p.items[i]; it.current == none {
			it.previous = previous[it.id]
		}
	}
}
