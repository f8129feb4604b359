package slicer

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// reassignPorts gives the slices of a port set that disappeared the port set that most of their homeless endpoints now
// want, the slice with the highest resourceVersion first. As many of these as may stay in one slice are then at home
// there (G5). So a changed target port moves no endpoint to another slice.
func (p *planner) reassignPorts() {
	only := p.onlyGroups()
	for i := range p.slices {
		s := &p.slices[i]
		if s.typ == none || s.was != none {
			continue
		}
		s.fate = free
		if only[s.typ] != none {
			p.reassignToOnly(only[s.typ], int32(i), s)
		} else {
			p.reassign(int32(i), s)
		}
	}
}

// onlyGroups has the group of each address type that has one, and none where it has several or none at all.
func (p *planner) onlyGroups() [len(addressTypes)]int32 {
	const several = -2
	only := [len(addressTypes)]int32{none, none, none}
	for _, g := range p.order {
		if t := p.groups[g].typ; p.groups[g].count > 0 {
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

// reassignToOnly is reassign where a slice can have one port set only. It spares the table of all groups' endpoints.
func (p *planner) reassignToOnly(g, index int32, s *slice) {
	list := p.identify(s.object.Endpoints, g)
	found := p.scratch[:0]
	for j, f := range list {
		if f.item == none || p.items[f.item].home != none {
			continue
		}
		it := &p.items[f.item]
		it.hold(&s.object.Endpoints[j])
		if it.seenIn != index {
			it.seenIn = index
			found = append(found, f.item)
		}
	}
	p.scratch = found
	if len(found) == 0 {
		return
	}
	p.makeHome(g, index, s, found)
	for j, f := range list {
		if f.item == none || p.items[f.item].home != index {
			continue
		}
		it, e := &p.items[f.item], &s.object.Endpoints[j]
		if it.hold(e); it.held == e {
			it.exact = f.same
		}
	}
}

func (p *planner) reassign(index int32, s *slice) {
	found := p.homelessIn(index, s)
	g := p.mostWanted(found)
	if g == none {
		return
	}
	p.makeHome(g, index, s, slices.DeleteFunc(found, func(i int32) bool { return p.items[i].group != g }))
	for j := range s.object.Endpoints {
		e := &s.object.Endpoints[j]
		if i := p.lookup(e, g); i != none && p.items[i].home == index {
			p.items[i].hold(e)
		}
	}
}

// makeHome makes a slice the home of a group's items, of as many as may stay in one. What it holds for them is still to
// be said.
func (p *planner) makeHome(g, index int32, s *slice, items []int32) {
	if stay := p.limits.Stay(len(items)); stay < len(items) {
		p.sortItems(items)
		items = items[:stay]
		s.reasons.add(OversizeSplit)
	}
	s.group, s.fate, s.homes = g, stays, int32(len(items))
	s.reasons.add(PortsChanged)
	for _, i := range items {
		it := &p.items[i]
		it.home, it.slice, it.held = index, index, nil
	}
}

// homelessIn lists the homeless items that a slice holds, each once.
func (p *planner) homelessIn(index int32, s *slice) []int32 {
	w := p.wanters()
	found := p.scratch[:0]
	for j := range s.object.Endpoints {
		e := &s.object.Endpoints[j]
		w.of(e, s.typ, func(i int32) {
			it := &p.items[i]
			if it.home != none {
				return
			}
			it.hold(e)
			if it.seenIn != index {
				it.seenIn = index
				found = append(found, i)
			}
		})
	}
	p.scratch = found
	return found
}

// mostWanted returns the group that most of the items belong to, of several the first in the plan's order; none for no
// items.
func (p *planner) mostWanted(items []int32) int32 {
	for _, i := range items {
		p.groups[p.items[i].group].votes++
	}
	best := int32(none)
	for _, i := range items {
		g := p.items[i].group
		if best == none || p.groups[g].votes > p.groups[best].votes ||
			p.groups[g].votes == p.groups[best].votes && p.groups[g].rank < p.groups[best].rank {
			best = g
		}
	}
	for _, i := range items {
		p.groups[p.items[i].group].votes = 0
	}
	return best
}

// hold notes what a slice has for the endpoint: of several copies the first by content, whatever their order.
func (it *item) hold(e *discoveryv1.Endpoint) {
	if it.held == nil || compareEndpoints(e, it.held) < 0 {
		it.held, it.exact = e, false
	}
}
