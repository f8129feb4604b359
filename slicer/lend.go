package slicer

import (
	"cmp"
	"slices"
)

// lend frees more written slices for port sets that lack some, where clean ones can take what they hold. Then a clean
// slice is written instead of one that is created, and one fewer is left. Here the maximum is 4, and 81 needs a slice:
//
//	80 *[a b c -] *[d e - -]  [f - - -]   81 +[x - - -]   ->   80 *[a b c d]  81 *[x - - -]  80 *[f e - -]
//
// No clean slice gives up an endpoint, and of the slices that can be freed the emptiest are.
func (p *planner) lend(t int32, joints []*joint) {
	type lot struct{ homes, joint int }
	var lots []lot
	lacking := -p.must(t)
	for n, j := range joints {
		left := p.left(j)
		lacking += left
		could := p.fitting(j.clean, left*p.max-j.total, left-j.stable)
		unlent := max(0, left-len(j.written)) // so many clean slices take what a created one would: see open
		lacking -= min(could, unlent)
		for k := unlent; k < could; k++ {
			i := j.written[left-1-k]
			lots = append(lots, lot{int(p.slices[i].homes), n})
		}
	}
	if lacking <= 0 {
		return
	}
	slices.SortStableFunc(lots, func(a, b lot) int { return cmp.Compare(a.homes, b.homes) })
	counts := make([]int, len(joints))
	for _, l := range lots[:min(len(lots), lacking)] {
		counts[l.joint]++
	}
	for n, j := range joints {
		if counts[n] > 0 {
			p.take(j, max(0, p.left(j)-len(j.written))+counts[n])
		}
	}
}
