package slicer

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/layout"
)

// reassignPorts gives the slices of a port set that disappeared the port set that most of their unassigned endpoints now
// want, the slice with the highest resourceVersion first. As many of these as may stay in one slice are then at home
// there. So a changed target port moves no endpoint to another slice.
func reassignPorts(r *rules, w *wanted, x *present, h *homes) {
	lost := func(i int32) bool {
		s := &x.slices[i]
		return s.typ != none && s.ports == none && len(s.object.Endpoints) > 0
	}
	if !slices.ContainsFunc(x.newest, lost) {
		return
	}
	n := w.ids.Identities()
	a := reassignment{
		r: r, w: w, h: h,
		unassigned: layout.NewCandidates(w.ids.Row, func(item int32) bool { return h.items[item].slice == none }),
		previous:   make([]*discoveryv1.Endpoint, n), lastSeen: make([]int32, n),
	}
	for _, i := range x.newest {
		if lost(i) {
			a.see(i, &x.slices[i])
			if g := a.mostWanted(); g != none {
				a.makeHome(g, i, x.slices[i].object.Endpoints)
			}
		}
	}
	a.keepPrevious()
}

// reassignment is the state of reassignPorts.
type reassignment struct {
	r *rules
	w *wanted
	h *homes

	unassigned layout.Candidates
	previous   []*discoveryv1.Endpoint // of each identity: what the slices seen so far have for it, or nil
	lastSeen   []int32                 // of each identity: the last slice that has it, from 1
	voters     []int32                 // unassigned items of the slice at hand
	ids        []int32
}

// see lists the unassigned items that a slice has, and notes what it has for them.
func (a *reassignment) see(index int32, s *liveSlice) {
	a.voters = a.voters[:0]
	for j := range s.object.Endpoints {
		e := &s.object.Endpoints[j]
		a.ids = a.w.ids.IDs(a.ids[:0], e, s.typ)
		for _, id := range a.ids {
			if previous := &a.previous[id]; *previous == nil || endpoint.Compare(e, *previous) < 0 {
				*previous = e
			}
			if a.lastSeen[id] != index+1 {
				a.lastSeen[id] = index + 1
				a.voters = a.unassigned.Of(a.voters, id)
			}
		}
	}
}

// mostWanted returns the group that most of the unassigned items belong to, of several the first in the plan's order; none for
// no items.
func (a *reassignment) mostWanted() int32 {
	best, votes := int32(none), map[int32]int{}
	for _, i := range a.voters {
		votes[a.w.items[i].Group]++
	}
	for g, n := range votes {
		if best == none || n > votes[best] || n == votes[best] && g < best {
			best = g
		}
	}
	return best
}

// makeHome makes the slice at hand the home of its unassigned items of a group, of as many as may stay in one slice.
func (a *reassignment) makeHome(g, index int32, endpoints []discoveryv1.Endpoint) {
	taken, items := a.w.ids.Identify(endpoints, g), a.voters[:0]
	for _, at := range taken {
		if at.Item == none || a.h.items[at.Item].slice != none {
			continue
		}
		if seen := &a.lastSeen[a.w.items[at.Item].ID]; *seen > 0 {
			items = append(items, at.Item)
			*seen = 0 // once
		}
	}
	stay := a.r.layout.Stay(len(items))
	if stay < len(items) {
		a.w.ids.Sort(items)
	}
	for _, i := range items[:stay] {
		a.h.items[i] = home{slice: index}
	}
	a.h.slices[index] = homeSlice{group: g, count: int32(stay), dirty: true, overMax: stay < len(items), found: taken}
	for j, at := range taken {
		if at.Item != none && a.h.items[at.Item].slice == index {
			a.h.keepPrevious(at.Item, &endpoints[j])
		}
	}
	a.voters = items
}

// keepPrevious notes what slices have for the items that are still unassigned.
func (a *reassignment) keepPrevious() {
	for i := range a.h.items {
		if it := &a.h.items[i]; it.slice == none {
			it.previous = a.previous[a.w.items[i].ID]
		}
	}
}
