package slicer

import (
	"slices"

	"github.com/slicewright/slicewright/slicer/internal/packing"
)

// typeProblem is an address type as a problem of package packing, and what its indices stand for.
type typeProblem struct {
	packing.Problem
	groups []int32 // of the address type, in the plan's order
	slices []int32 // by name
	index  []int   // of each group: its index in groups; packing.None for those of other types
}

func newTypeProblem(limits packing.Limits, t int32, w *wanted, x *present, l *layout, unassigned [][]int32) typeProblem {
	c := typeProblem{Problem: packing.Problem{Limits: limits}, index: make([]int, len(w.groups))}
	for g := range c.index {
		c.index[g] = packing.None
	}
	for _, g := range w.order {
		if w.groups[g].Type != t {
			continue
		}
		c.index[g] = len(c.groups)
		c.groups = append(c.groups, g)
		var of packing.Group
		if unassigned != nil {
			of.Unassigned = len(unassigned[g])
		}
		c.Groups = append(c.Groups, of)
	}
	for i := range x.slices {
		if x.slices[i].typ == t {
			c.slices = append(c.slices, int32(i))
		}
	}
	slices.SortFunc(c.slices, func(a, b int32) int { return byName(x.slices[a].object, x.slices[b].object) })
	c.Slices = make([]packing.Slice, len(c.slices))
	for n, i := range c.slices {
		c.Slices[n] = c.slice(&x.slices[i], &l.slices[i])
	}
	return c
}

func (c *typeProblem) slice(s *liveSlice, o *planned) packing.Slice {
	of := packing.Slice{Group: packing.None, Ports: packing.None}
	if s.ports != none {
		of.Ports = c.index[s.ports]
	}
	if o.outcome == kept {
		of.Group, of.Homes, of.Written = c.index[o.group], int(o.stay), o.written
	}
	return of
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
			counts[c.index[p.w.items[i].Group]]++
		}
		for g, count := range counts {
			list = append(list, packing.Overlap{Slice: n, Group: g, Count: count})
		}
	}
	return list
}

// join lets slices dissolve as package packing says (Compact). It returns the problem and the unassigned items that are left
// to place.
func (p *placing) join(c typeProblem, l *layout, unassigned [][]int32) (typeProblem, [][]int32) {
	o := packing.JoinOptions{DissolveUpTo: p.r.limits.Max}
	if percent := p.r.options.DissolveUpTo; percent > 0 {
		o.DissolveUpTo = p.r.limits.Max * percent / 100
	}
	joined := packing.Join(c.Problem, o)
	for _, n := range joined.Compacted {
		l.slices[c.slices[n]].compacted = true
	}
	for _, n := range joined.Dissolved {
		l.dissolve(c.slices[n])
	}
	c.Problem = joined.Problem
	if len(joined.Dissolved) > 0 {
		unassigned = p.moveOut(c, l, unassigned)
	}
	return c, unassigned
}

// moveOut makes the items of dissolved slices unassigned, and returns them with those that are already.
func (p *placing) moveOut(c typeProblem, l *layout, unassigned [][]int32) [][]int32 {
	if unassigned == nil {
		unassigned = make([][]int32, len(p.w.groups))
	} else {
		unassigned = slices.Clone(unassigned)
	}
	for i, at := range l.places {
		g := p.w.items[i].Group
		if c.index[g] != packing.None && at != nowhere && l.slices[at].dissolved {
			l.places[i] = nowhere
			unassigned[g] = append(unassigned[g], int32(i))
		}
	}
	return unassigned
}
