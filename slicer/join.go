package slicer

import (
	"slices"

	"github.com/slicewright/slicewright/slicer/internal/packing"
)

// join lets slices dissolve as package packing says (Compact). It returns the problem and the homeless items that are left
// to place, and how many of the extra writes that took.
func (p *planner) join(c typeProblem, homeless [][]int32, extra int) (after typeProblem, left [][]int32, spent int) {
	o := packing.JoinOptions{DissolveUpTo: p.limits.Max, ExtraWrites: extra}
	if percent := p.in.Options.DissolveUpTo; percent > 0 {
		o.DissolveUpTo = p.limits.Max * percent / 100
	}
	joined := packing.Join(c.Problem, o)
	for _, n := range joined.Compacted {
		p.slices[c.slices[n]].reasons.add(Compacted)
	}
	for _, n := range joined.Dissolved {
		p.slices[c.slices[n]].dissolve()
	}
	c.Problem = joined.Problem
	if len(joined.Dissolved) > 0 {
		homeless = p.moveOut(c, homeless)
	}
	return c, homeless, joined.ExtraWrites
}

// dissolve sets a slice idle. Of the reasons to write it those stay that hold whatever it will hold.
func (s *slice) dissolve() {
	s.fate, s.homes = free, 0
	s.reasons &= 1<<LabelsChanged | 1<<AnnotationsChanged | 1<<OwnersChanged | 1<<Compacted
	s.reasons.add(Dissolved)
}

// moveOut makes the items of dissolved slices homeless, and returns them with those that are already.
func (p *planner) moveOut(c typeProblem, homeless [][]int32) [][]int32 {
	if homeless == nil {
		homeless = make([][]int32, len(p.groups))
	} else {
		homeless = slices.Clone(homeless)
	}
	for i := range p.items {
		it := &p.items[i]
		if it.slice != none && c.index[it.group] != packing.None && p.slices[it.slice].fate == free {
			it.slice = none
			homeless[it.group] = append(homeless[it.group], int32(i))
		}
	}
	return homeless
}
