package slicer

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// adoptOrphans gives the slices of a port set that disappeared the port set that most of their homeless endpoints now
// want, the slice with the highest resourceVersion first; those endpoints, up to the maximum, are then at home there
// (G5). So a changed target port moves nobody to another slice.
func (p *planner) adoptOrphans() {
	for i := range p.slices {
		if s := &p.slices[i]; s.typ != none && s.was == none {
			s.fate = free
			s.removed = int32(len(s.object.Endpoints))
			p.adopt(int32(i), s)
		}
	}
}

func (p *planner) adopt(index int32, s *slice) {
	met := p.meet(index, s)
	best := p.favourite(met)
	if best == none {
		return
	}
	items := slices.DeleteFunc(met, func(i int32) bool { return p.items[i].group != best })
	if len(items) > p.max {
		p.sortItems(items)
		items = items[:p.max]
		s.reasons.add(OversizeSplit)
	}
	s.group, s.fate, s.homes = best, stays, int32(len(items))
	s.reasons.add(PortsChanged)
	for _, i := range items {
		it := &p.items[i]
		it.home, it.slice, it.held = index, index, nil
	}
	for j := range s.object.Endpoints {
		e := &s.object.Endpoints[j]
		if i := p.lookup(e, best); i != none && p.items[i].home == index {
			p.items[i].hold(e)
		}
	}
}

// meet lists the homeless items that a slice holds, each once.
func (p *planner) meet(index int32, s *slice) []int32 {
	w := p.wanters()
	met := p.scratch[:0]
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
				met = append(met, i)
			}
		})
	}
	p.scratch = met
	return met
}

// favourite returns the group that most of the items belong to, of several the first in the plan's order.
func (p *planner) favourite(items []int32) int32 {
	for _, i := range items {
		p.groups[p.items[i].group].met++
	}
	best := int32(none)
	for _, i := range items {
		g := p.items[i].group
		if best == none || p.groups[g].met > p.groups[best].met ||
			p.groups[g].met == p.groups[best].met && p.groups[g].rank < p.groups[best].rank {
			best = g
		}
	}
	for _, i := range items {
		p.groups[p.items[i].group].met = 0
	}
	return best
}

// hold notes what a slice has for the endpoint: of several copies the first by content, whatever their order.
func (it *item) hold(e *discoveryv1.Endpoint) {
	if it.held == nil || compareEndpoints(e, it.held) < 0 {
		it.held, it.exact = e, false
	}
}
