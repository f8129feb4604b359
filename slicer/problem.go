package slicer

import (
	"slices"

	"github.com/slicewright/slicewright/slicer/internal/packing"
)

// typeProblem is an address type as a problem of package packing, and what its indices stand for.
type typeProblem struct {
	packing.Problem
	groups []int32 // that have endpoints, in the plan's order
	slices []int32 // by name
	index  []int   // by group: its index in groups; packing.None for those of other types
}

func newTypeProblem(limits packing.Limits, t int32, order []int32, groups []group, existing []slice, homeless [][]int32) typeProblem {
	c := typeProblem{Problem: packing.Problem{Limits: limits}, index: make([]int, len(groups))}
	for g := range c.index {
		c.index[g] = packing.None
	}
	for _, g := range order {
		if groups[g].typ != t || groups[g].count == 0 {
			continue
		}
		c.index[g] = len(c.groups)
		c.groups = append(c.groups, g)
		var of packing.Group
		if homeless != nil {
			of.Homeless = len(homeless[g])
		}
		c.Groups = append(c.Groups, of)
	}
	for i := range existing {
		if existing[i].typ == t {
			c.slices = append(c.slices, int32(i))
		}
	}
	slices.SortFunc(c.slices, func(a, b int32) int { return byName(existing[a].object, existing[b].object) })
	c.Slices = make([]packing.Slice, len(c.slices))
	for n, i := range c.slices {
		c.Slices[n] = c.slice(&existing[i])
	}
	return c
}

func (c *typeProblem) slice(s *slice) packing.Slice {
	of := packing.Slice{Group: packing.None, Ports: packing.None}
	if s.was != none {
		of.Ports = c.index[s.was]
	}
	if s.fate == stays {
		of.Group, of.Homes, of.Written = c.index[s.group], int(s.homes), s.reasons != 0
	}
	return of
}

// overlaps counts, for the idle slices of a problem, the homeless endpoints of each group that they hold.
func (p *planner) overlaps(c typeProblem) []packing.Overlap {
	var list []packing.Overlap
	w := p.wanters()
	for n, i := range c.slices {
		if c.Slices[n].Group != packing.None {
			continue
		}
		s := &p.slices[i]
		held := p.scratch[:0]
		for j := range s.object.Endpoints {
			w.of(&s.object.Endpoints[j], s.typ, func(i int32) {
				if p.items[i].slice == none {
					held = append(held, i)
				}
			})
		}
		p.scratch = held
		slices.Sort(held)
		counts := map[int]int{}
		for _, i := range slices.Compact(held) { // a slice may hold an endpoint twice
			counts[c.index[p.items[i].group]]++
		}
		for g, count := range counts {
			list = append(list, packing.Overlap{Slice: n, Group: g, Count: count})
		}
	}
	return list
}
