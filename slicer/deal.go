package slicer

import "github.com/slicewright/slicewright/slicer/internal/packing"

// deal puts the homeless items of each group where the deals say, in canonical order.
func (p *planner) deal(c typeProblem, deals []packing.Deal, homeless [][]int32) {
	for n, d := range deals {
		if g := c.groups[n]; c.Groups[n].Homeless > 0 {
			p.dealGroup(c, g, d, homeless[g])
		}
	}
}

// dealGroup fills the slices of a deal. Re-used slices first take back the endpoints that they hold, so that these
// change their ports in one write (G6).
func (p *planner) dealGroup(c typeProblem, g int32, d packing.Deal, items []int32) {
	p.sortItems(items)
	for _, n := range d.Reused {
		p.reuse(g, c.slices[n])
	}
	next := 0
	take := func(place int32, room int) (taken int32) {
		for ; room > 0 && next < len(items); next++ {
			if it := &p.items[items[next]]; it.slice == none {
				it.slice = place
				room--
				taken++
			}
		}
		return taken
	}
	for _, list := range [...][]int{d.Written, d.Opened, d.Reused} {
		for _, n := range list {
			s := &p.slices[c.slices[n]]
			if taken := take(c.slices[n], p.limits.Max-int(s.homes+s.added)); taken > 0 {
				s.added += taken
				s.reasons.add(EndpointsAdded)
			}
		}
	}
	for range d.Created {
		place := createBase + int32(len(p.creates))
		p.creates = append(p.creates, create{group: g, typ: p.groups[g].typ, added: take(place, p.limits.Max)})
	}
	for ; next < len(items); next++ {
		if it := &p.items[items[next]]; it.slice == none {
			p.plan.Unplaced = append(p.plan.Unplaced, *it.endpoint)
		}
	}
}

// reuse gives an idle slice to a group, with those of the endpoints it holds that the group has to place, up to the
// maximum.
func (p *planner) reuse(g, index int32) {
	s := &p.slices[index]
	if s.was != g {
		s.reasons.add(PortsChanged)
	}
	s.group, s.fate = g, stays
	var kept []int32
	for j := range s.object.Endpoints {
		if i := p.lookup(&s.object.Endpoints[j], g); i != none && p.items[i].slice == none {
			p.items[i].slice = index
			kept = append(kept, i)
		}
	}
	if most := p.limits.Max; len(kept) > most {
		p.sortItems(kept)
		for _, i := range kept[most:] {
			p.items[i].slice = none
		}
		kept = kept[:most]
	}
	s.added += int32(len(kept))
}
