package slicer

import (
	"slices"

	"github.com/slicewright/slicewright/slicer/internal/packing"
)

// typeProblem is an address type as a problem of package packing. Its groups are all that there are, in the plan's order: those
// of other types need nothing.
type typeProblem struct {
	packing.Problem
	typ    int32
	slices []int32 // what its slices stand for, by name
}

func (p *placing) problem(t int32, l *layout) typeProblem {
	c := typeProblem{Problem: packing.Problem{Limits: p.r.limits, Groups: make([]packing.Group, len(p.w.groups))}, typ: t}
	for g := range p.w.groups {
		if p.unassigned != nil && p.w.groups[g].Type == t {
			c.Groups[g].Unassigned = len(p.unassigned[g])
		}
	}
	for i := range p.x.slices {
		if p.x.slices[i].typ == t {
			c.slices = append(c.slices, int32(i))
		}
	}
	for _, i := range c.slices {
		of, o := packing.Slice{Group: packing.None, Ports: int(p.x.slices[i].ports)}, &l.slices[i]
		if o.outcome == kept {
			of.Group, of.Homes, of.Written = int(o.group), int(o.stay), o.written
		}
		c.Slices = append(c.Slices, of)
	}
	return c
}

// overlaps counts, for the idle slices of a problem, the unassigned endpoints of each group that they hold.
func (p *placing) overlaps(c typeProblem, l *layout) []packing.Overlap {
	var list []packing.Overlap
	unplaced := newCandidates(&p.w.ids, func(item int32) bool { return l.places[item] == nowhere })
	for n, i := range c.slices {
		if c.Slices[n].Group != packing.None {
			continue
		}
		s := &p.x.slices[i]
		var held, ids []int32
		for j := range s.object.Endpoints {
			ids = p.w.ids.IDs(ids[:0], &s.object.Endpoints[j], s.typ)
			for _, id := range ids {
				held = unplaced.of(held, id)
			}
		}
		slices.Sort(held)
		counts := map[int]int{}
		for _, i := range slices.Compact(held) { // a slice may hold an endpoint twice
			counts[int(p.w.items[i].Group)]++
		}
		for g, count := range counts {
			list = append(list, packing.Overlap{Slice: n, Group: g, Count: count})
		}
	}
	return list
}

// join lets slices dissolve as package packing says (Compact). Their items become unassigned.
func (p *placing) join(c *typeProblem, l *layout) {
	dissolveUpTo := p.r.limits.Max
	if percent := p.r.options.DissolveUpTo; percent > 0 {
		dissolveUpTo = p.r.limits.Max * percent / 100
	}
	joined := packing.Join(c.Problem, dissolveUpTo)
	c.Problem = joined.Problem
	for _, n := range joined.Compacted {
		l.slices[c.slices[n]].compacted = true
	}
	for _, n := range joined.Dissolved {
		l.dissolve(c.slices[n])
	}
	if len(joined.Dissolved) == 0 {
		return
	}
	for i, at := range l.places {
		if at != nowhere && !at.created() && l.slices[at].dissolved && p.x.slices[at].typ == c.typ {
			l.places[i] = nowhere
		}
	}
	p.unassigned = unassignedItems(p.w, l)
}
