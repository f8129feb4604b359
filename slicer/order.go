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
		if it.home != none && it.slice != none && it.slice != it.home && p.slices[it.home].written() {
			o.must.add(it.home, it.slice)
		}
	}
	p.portMoves(o.should)
	return o.sort(updates)
}

// portMoves finds the endpoints none of whose old ports are wanted and lets the newest slice that holds one wait for
// the slice that will.
func (p *planner) portMoves(w waits) {
	var portSets [len(addressTypes)]int
	for g := range p.groups {
		if p.groups[g].count > 0 {
			portSets[p.groups[g].typ]++
		}
	}
	var moves []portMove
	of := map[int32]int{} // by the first item that is the endpoint: into moves
	for i := range p.slices {
		s := &p.slices[i]
		if s.typ == none || s.reasons == 0 || s.was != none && portSets[s.typ] == 1 {
			continue // with one port set, an endpoint either keeps it or is not wanted
		}
		for j := range s.object.Endpoints {
			e := &s.object.Endpoints[j]
			targets, published := p.targets(e, s)
			if published || len(targets) == 0 {
				continue
			}
			m, ok := of[targets[0]]
			if !ok {
				m = len(moves)
				of[targets[0]] = m
				moves = append(moves, portMove{targets: targets, newest: int32(i)})
			}
			moves[m].held(p, int32(i))
		}
	}
	p.releaseStale(moves, of)
	for _, m := range moves {
		if !m.safe {
			w.add(m.newest, p.items[m.targets[0]].slice)
		}
	}
}

// portMove is an endpoint whose old ports all go while it is wanted on others.
type portMove struct {
	targets []int32 // the items that it is, in the plan's order of groups
	newest  int32   // of the slices that hold it, the one with the highest resourceVersion
	safe    bool    // no order can make it miss
}

func (m *portMove) held(p *planner, by int32) {
	m.safe = m.safe || p.slices[by].fate == deleted
	for _, i := range m.targets {
		place := p.items[i].slice
		m.safe = m.safe || place == by || place >= createBase
	}
}

// targets lists the placed items that an existing endpoint is, in the plan's order of groups, and reports whether one of
// them is published by its ports already.
func (p *planner) targets(e *discoveryv1.Endpoint, s *slice) (targets []int32, published bool) {
	p.wanters().of(e, s.typ, func(i int32) {
		it := &p.items[i]
		published = published || it.matched
		if it.slice != none {
			targets = append(targets, i)
		}
	})
	slices.SortFunc(targets, func(a, b int32) int {
		return int(p.groups[p.items[a].group].rank - p.groups[p.items[b].group].rank)
	})
	return targets, published
}

// releaseStale marks the endpoints that slices of an earlier owner hold: these go last.
func (p *planner) releaseStale(moves []portMove, of map[int32]int) {
	if len(moves) == 0 {
		return
	}
	for _, object := range p.stale {
		s := &slice{object: object, typ: int32(typeIndex(object.AddressType))}
		for j := range object.Endpoints {
			if targets, _ := p.targets(&object.Endpoints[j], s); len(targets) > 0 {
				if m, ok := of[targets[0]]; ok {
					moves[m].safe = true
				}
			}
		}
	}
}
