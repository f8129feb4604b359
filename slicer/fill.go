package slicer

import "slices"

// fill places a group's endpoints into the slices that were found for it. A re-used slice first takes back those that
// it holds, so that they change their ports in one write (G6).
func (p *planner) fill(n *need) {
	items := p.groups[n.group].items
	p.sortItems(items)
	if p.in.Set.Terminating {
		slices.SortStableFunc(items, func(a, b int32) int { return p.unpublished(a) - p.unpublished(b) })
	}
	for _, s := range n.reused {
		p.retake(n.group, s)
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
	for _, list := range [...][]int32{n.written, n.opened, n.reused} {
		for _, i := range list {
			s := &p.slices[i]
			if taken := take(i, p.max-int(s.homes+s.added)); taken > 0 {
				s.added += taken
				s.reasons.add(EndpointsAdded)
			}
		}
	}
	for range n.created {
		place := createBase + int32(len(p.creates))
		p.creates = append(p.creates, create{group: n.group, typ: p.groups[n.group].typ, added: take(place, p.max)})
	}
	for ; next < len(items); next++ {
		if it := &p.items[items[next]]; it.slice == none {
			p.plan.Unplaced = append(p.plan.Unplaced, p.wanted(it))
		}
	}
}

// unpublished is 0 for an endpoint that has a home to lose, else 1.
func (p *planner) unpublished(i int32) int {
	if p.items[i].home != none {
		return 0
	}
	return 1
}

// retake gives a re-used slice those of the endpoints it holds that the group still has to place, up to the maximum.
func (p *planner) retake(g, index int32) {
	s := &p.slices[index]
	var held []int32
	for j := range s.object.Endpoints {
		if i := p.lookup(&s.object.Endpoints[j], g); i != none && p.items[i].slice == none {
			p.items[i].slice = index
			held = append(held, i)
		}
	}
	if len(held) > p.max {
		p.sortItems(held)
		for _, i := range held[p.max:] {
			p.items[i].slice = none
		}
		held = held[:p.max]
	}
	s.added += int32(len(held))
}
