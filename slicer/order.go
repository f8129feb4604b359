package slicer

import (
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// updateOrder lists the slices to update so that no endpoint is ever missing (G6): by name, but that a slice which
// takes an endpoint comes before the one which lets go of it. Slices that wait for each other in a cycle follow each
// other, by name.
func (p *planner) updateOrder() []int32 {
	var updates []int32
	for i := range p.slices {
		if p.slices[i].written() {
			updates = append(updates, int32(i))
		}
	}
	slices.SortFunc(updates, func(a, b int32) int { return byName(p.slices[a].object, p.slices[b].object) })
	if len(updates) < 2 {
		return updates
	}
	o := ordering{compare: func(a, b int32) int {
		return strings.Compare(p.slices[a].object.Name, p.slices[b].object.Name)
	}, must: waits{}, should: waits{}}
	for i := range p.items {
		it := &p.items[i]
		if it.matched && it.slice != none && it.slice != it.home && p.slices[it.home].written() {
			o.must.add(it.home, it.slice)
		}
	}
	p.findPortMoves(o.should)
	return o.sort(updates)
}

// findPortMoves finds the endpoints none of whose old ports are wanted and lets the newest slice that holds one wait for
// the slice that will.
func (p *planner) findPortMoves(w waits) {
	var portSets [len(addressTypes)]int
	for g := range p.groups {
		if p.groups[g].count > 0 {
			portSets[p.groups[g].typ]++
		}
	}
	moving := p.movingTypes()
	moves := portMoves{p: p, of: map[int32]*portMove{}}
	for i := range p.slices {
		s := &p.slices[i]
		if s.typ == none || !moving[s.typ] || s.reasons == 0 || s.was != none && portSets[s.typ] == 1 {
			continue // with one port set, an endpoint either keeps it or is not wanted
		}
		for j := range s.object.Endpoints {
			moves.held(&s.object.Endpoints[j], s.typ, int32(i))
		}
	}
	for _, object := range p.stale {
		t := typeIndex(object.AddressType)
		if t == none || !moving[t] {
			continue
		}
		for j := range object.Endpoints {
			moves.held(&object.Endpoints[j], int32(t), none)
		}
	}
	for _, m := range moves.list {
		if !p.safe(m) {
			w.add(m.holders[0], p.items[m.targets[0]].slice)
		}
	}
}

// movingTypes are the address types in which some endpoint is placed where no slice publishes it yet or will go on to.
func (p *planner) movingTypes() (moving [len(addressTypes)]bool) {
	for i := range p.items {
		it := &p.items[i]
		if it.slice != none && !it.matched && it.home != it.slice {
			moving[p.groups[it.group].typ] = true
		}
	}
	return moving
}

// portMove is an endpoint whose old ports all go while it is wanted on others.
type portMove struct {
	targets []int32 // the placed items that it is, in the plan's order of groups
	holders []int32 // the slices that hold it, the one with the highest resourceVersion first; none for a stale one
}

type portMoves struct {
	p    *planner
	list []*portMove
	of   map[int32]*portMove // by target
}

// held notes that a slice holds an endpoint by ports on which it is not wanted.
func (m *portMoves) held(e *discoveryv1.Endpoint, t, by int32) {
	targets, published := m.p.targets(e, t)
	if published || len(targets) == 0 {
		return
	}
	move := m.of[targets[0]]
	if move == nil {
		move = &portMove{}
		m.of[targets[0]] = move
		m.list = append(m.list, move)
	}
	if len(targets) > len(move.targets) {
		move.targets = slices.Clone(targets)
	}
	move.holders = append(move.holders, by)
}

// safe reports whether no order can make the endpoint miss: some slice holds it before and after, or its new slice is
// created, or an old one goes last.
func (p *planner) safe(m *portMove) bool {
	for _, by := range m.holders {
		if by == none || p.slices[by].fate == deleted {
			return true
		}
		for _, i := range m.targets {
			if place := p.items[i].slice; place == by || place >= createBase {
				return true
			}
		}
	}
	return false
}

// targets lists the placed items that an existing endpoint is, in the plan's order of groups, until the next call. It
// reports whether one of them is published by its ports already, or stays in a slice that takes its ports.
func (p *planner) targets(e *discoveryv1.Endpoint, t int32) (targets []int32, published bool) {
	targets = p.scratch[:0]
	p.wanters().of(e, t, func(i int32) {
		it := &p.items[i]
		published = published || it.matched || it.home != none && it.home == it.slice
		if it.slice != none {
			targets = append(targets, i)
		}
	})
	p.scratch = targets
	if len(targets) > 1 {
		slices.SortFunc(targets, func(a, b int32) int {
			return int(p.groups[p.items[a].group].rank - p.groups[p.items[b].group].rank)
		})
	}
	return targets, published
}
