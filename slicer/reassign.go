package slicer

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer/internal/items"
)

// reassignPorts gives the slices of a port set that disappeared the port set that most of their homeless endpoints now
// want, the slice with the highest resourceVersion first. As many of these as may stay in one slice are then at home
// there (G5). So a changed target port moves no endpoint to another slice.
func reassignPorts(r *rules, w *wanted, x *present, h homes, f *items.Finder, s *items.Sorter) homes {
	a := reassignment{r: r, w: w, x: x, h: h, f: f, sorter: s}
	only := onlyGroups(w)
	for i := range x.slices {
		s := &x.slices[i]
		if s.typ == none || s.ports != none {
			continue
		}
		if a.lastSlice == nil {
			a.lastSlice = make([]int32, len(w.items))
			a.votes = make([]int32, len(w.groups))
		}
		if g := only[s.typ]; g != none {
			a.toOnly(g, int32(i), s.object.Endpoints)
		} else {
			a.toMostWanted(int32(i), s)
		}
	}
	return a.h
}

// reassignment is the state of reassignPorts.
type reassignment struct {
	r *rules
	w *wanted
	x *present
	f *items.Finder
	h homes

	sorter   *items.Sorter
	homeless []int32 // in the slice at hand

	lastSlice []int32 // of each item: the last slice, from 1, that holds it
	votes     []int32 // of each group: homeless endpoints in the slice at hand; 0 otherwise
}

// onlyGroups has the group of each address type that has one, and none for a type that has several or none at all.
func onlyGroups(w *wanted) (only [len(addressTypes)]int32) {
	const several = -2
	for t := range only {
		only[t] = none
	}
	for _, g := range w.order {
		if t := w.groups[g].Type; w.groups[g].Count > 0 {
			if only[t] == none {
				only[t] = g
			} else {
				only[t] = several
			}
		}
	}
	for t := range only {
		only[t] = max(only[t], none)
	}
	return only
}

// toOnly is toMostWanted for a slice that can have one port set only. It spares the table of all groups' endpoints.
func (a *reassignment) toOnly(g, index int32, endpoints []discoveryv1.Endpoint) {
	list := a.f.Identify(endpoints, g)
	homeless := a.homeless[:0]
	for j, at := range list {
		if at.Item == none || a.h.items[at.Item].slice != none {
			continue
		}
		a.h.keepPrevious(at.Item, &endpoints[j], false)
		if a.see(at.Item, index) {
			homeless = append(homeless, at.Item)
		}
	}
	a.homeless = homeless
	if len(homeless) == 0 {
		return
	}
	a.makeHome(g, index, homeless)
	a.h.slices[index].taken = list
	for j, at := range list {
		if at.Item != none && a.h.items[at.Item].slice == index {
			a.h.keepPrevious(at.Item, &endpoints[j], at.Exact)
		}
	}
}

func (a *reassignment) toMostWanted(index int32, s *liveSlice) {
	homeless := a.homelessIn(index, s)
	g := a.mostWanted(homeless)
	if g == none {
		return
	}
	a.makeHome(g, index, slices.DeleteFunc(homeless, func(i int32) bool { return a.w.items[i].Group != g }))
	for j := range s.object.Endpoints {
		e := &s.object.Endpoints[j]
		if i := a.f.Lookup(e, g); i != none && a.h.items[i].slice == index {
			a.h.keepPrevious(i, e, false)
		}
	}
}

// makeHome makes a slice the home of a group's items, of as many as may stay in one.
func (a *reassignment) makeHome(g, index int32, items []int32) {
	stay := a.r.limits.Stay(len(items))
	if stay < len(items) {
		a.sorter.Sort(a.w.items, items)
	}
	a.h.reassign(index, g, items[:stay], stay < len(items))
}

// homelessIn lists the homeless items that a slice holds, each once.
func (a *reassignment) homelessIn(index int32, s *liveSlice) []int32 {
	var homeless []int32
	byIdentity := a.f.ByIdentity()
	for j := range s.object.Endpoints {
		e := &s.object.Endpoints[j]
		byIdentity.Each(e, s.typ, func(i int32) {
			if a.h.items[i].slice != none {
				return
			}
			a.h.keepPrevious(i, e, false)
			if a.see(i, index) {
				homeless = append(homeless, i)
			}
		})
	}
	return homeless
}

// see notes that a slice holds an item, and reports whether that is new.
func (a *reassignment) see(item, slice int32) bool {
	if a.lastSlice[item] == slice+1 {
		return false
	}
	a.lastSlice[item] = slice + 1
	return true
}

// mostWanted returns the group that most of the items belong to, of several the first in the plan's order; none for no
// items.
func (a *reassignment) mostWanted(items []int32) int32 {
	for _, i := range items {
		a.votes[a.w.items[i].Group]++
	}
	best := int32(none)
	for _, i := range items {
		g := a.w.items[i].Group
		if best == none || a.votes[g] > a.votes[best] ||
			a.votes[g] == a.votes[best] && a.w.groups[g].Rank < a.w.groups[best].Rank {
			best = g
		}
	}
	for _, i := range items {
		a.votes[a.w.items[i].Group] = 0
	}
	return best
}
