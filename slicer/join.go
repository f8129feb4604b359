package slicer

import (
	"slices"

	"github.com/slicewright/slicewright/slicer/internal/packing"
)

// join lets slices dissolve as package packing says (Compact). It returns the problem and the homeless items that are left
// to place.
func (p *placing) join(c typeProblem, l layout, homeless [][]int32) (typeProblem, layout, [][]int32) {
	o := packing.JoinOptions{DissolveUpTo: p.r.limits.Max}
	if percent := p.r.options.DissolveUpTo; percent > 0 {
		o.DissolveUpTo = p.r.limits.Max * percent / 100
	}
	joined := packing.Join(c.Problem, o)
	for _, n := range joined.Compacted {
		l.compact(c.slices[n])
	}
	for _, n := range joined.Dissolved {
		l.dissolve(c.slices[n])
	}
	c.Problem = joined.Problem
	if len(joined.Dissolved) > 0 {
		homeless = p.moveOut(c, l, homeless)
	}
	return c, l, homeless
}

// moveOut makes the items of dissolved slices homeless, and returns them with those that are already.
func (p *placing) moveOut(c typeProblem, l layout, homeless [][]int32) [][]int32 {
	if homeless == nil {
		homeless = make([][]int32, len(p.w.groups))
	} else {
		homeless = slices.Clone(homeless)
	}
	for i, at := range l.places {
		g := p.w.items[i].Group
		if c.index[g] != packing.None && at != none && l.slices[at].dissolved {
			l.vacate(int32(i))
			homeless[g] = append(homeless[g], int32(i))
		}
	}
	return homeless
}
