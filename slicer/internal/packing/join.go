package packing

import (
	"cmp"
	"slices"
)

// Joined is what Join decided.
type Joined struct {
	// Problem is what is left for Place: the endpoints of dissolved slices are unassigned,
	// dissolved slices are reusable, and compacted slices are written. It shares no memory with the
	// argument of Join.
	Problem Problem
	// Dissolved are the slices that give up all their endpoints, as indices into Problem.Slices.
	Dissolved []int
	// Compacted are the clean slices that are written so that fewer slices are left, as indices
	// into Problem.Slices. If Place puts no endpoint into one of these slices, that slice need not
	// be written.
	Compacted []int
}

// Join returns which slices dissolve, and the problem that is left for Place. Of all plans in which
// no clean slice gives up an endpoint, Join and Place make one with the fewest writes, then the
// fewest slices left, then the fewest endpoints that move.
//
// A slice in which more than dissolveUpTo endpoints stay does not dissolve. If nothing can be
// created, Join changes nothing.
func Join(p Problem, dissolveUpTo int) Joined {
	j := Joined{Problem: Problem{p.Limits, slices.Clone(p.Unassigned), slices.Clone(p.Slices)}}
	if p.NoCreates {
		return j
	}
	pools := p.pools(dissolveUpTo)
	p.release(pools)
	for g, l := range pools {
		j.Compacted = append(j.Compacted, l.compacted...)
		for _, i := range l.compacted {
			j.Problem.Slices[i].Written = true
		}
		for _, i := range l.written[min(len(l.written), l.remaining()):] {
			j.Dissolved = append(j.Dissolved, i)
			j.Problem.Unassigned[g] += p.Slices[i].Stay
			j.Problem.Slices[i] = Slice{Group: None, Ports: p.Slices[i].Ports}
		}
	}
	return j
}

// pool has the endpoints of one group that Join may move: the endpoints of written slices, and the
// unassigned ones. Of the written slices, the fullest remain: the number of slices that the pool's
// endpoints fill or, if that is more, all slices that are too full to dissolve. The number of
// writes does not depend on which slices remain, because a slice that does not remain is written,
// too: another group reuses it, or it is deleted.
type pool struct {
	problem      *Problem
	dissolveUpTo int
	written      []int // written slices, the fullest first
	clean        []int // other slices with room, the emptiest first
	compacted    []int // slices in written that were clean
	total        int   // endpoints that stay in these slices, and unassigned endpoints
	fixed        int   // the number of slices in written that are too full to dissolve
}

// remaining is the number of slices, existing and created, that hold the pool's endpoints in the
// end.
func (l *pool) remaining() int { return max(l.problem.full(l.total), l.fixed) }

// stay is the number of endpoints that stay in a slice.
func (l *pool) stay(i int) int { return l.problem.Slices[i].Stay }

// add counts a slice as written.
func (l *pool) add(i int) {
	l.total += l.stay(i)
	if l.stay(i) > l.dissolveUpTo {
		l.fixed++
	}
}

// compact adds the n emptiest clean slices to written. They come first there, so that they do not
// dissolve. compact is called at most once.
func (l *pool) compact(n int) {
	for _, i := range l.clean[:n] {
		l.add(i)
	}
	l.compacted = l.clean[:n:n]
	l.written = slices.Concat(l.compacted, l.written)
}

// pools returns the pool of each group.
func (p *Problem) pools(dissolveUpTo int) []*pool {
	pools := make([]*pool, len(p.Unassigned))
	for g, unassigned := range p.Unassigned {
		pools[g] = &pool{problem: p, dissolveUpTo: dissolveUpTo, total: unassigned}
	}
	for i, s := range p.Slices {
		if s.reusable() {
			continue
		}
		if l := pools[s.Group]; s.Written {
			l.written = append(l.written, i)
			l.add(i)
		} else if s.Stay < p.Max {
			l.clean = append(l.clean, i)
		}
	}
	for _, l := range pools {
		slices.SortFunc(l.written, p.fullestFirst)
		slices.SortFunc(l.clean, p.emptiestFirst)
	}
	return pools
}

// release frees written slices for groups that would have to create slices. Instead of creating a
// slice for group B, a written slice of group A dissolves, its endpoints go into a clean slice of
// A, and B reuses the dissolved slice. That is the same number of writes and one slice fewer. Here
// the maximum is 4, and B needs a slice:
//
//	A *[a b c -] *[d e - -]  [f - - -]   B +[x - - -]   ->   A *[a b c -]  B *[x - - -]  A *[f d e -]
//
// No clean slice gives up an endpoint. If more slices can be freed than are needed, the emptiest
// are freed.
func (p *Problem) release(pools []*pool) {
	lacking := 0 // slices that must be created, in all groups
	for _, s := range p.Slices {
		if s.Written || s.reusable() {
			lacking--
		}
	}
	type candidate struct{ stay, pool int }
	var candidates []candidate
	for n, l := range pools {
		left := l.remaining()
		lacking += left
		fits := p.fitting(l.clean, left*p.Max-l.total, left-l.fixed)
		created := max(0, left-len(l.written))
		lacking -= min(fits, created) // for these, Place opens a clean slice instead of a create, so none is freed
		for k := created; k < fits; k++ {
			candidates = append(candidates, candidate{l.stay(l.written[left-1-k]), n})
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(a.stay, b.stay) })
	counts := make([]int, len(pools))
	for _, c := range candidates[:min(len(candidates), max(0, lacking))] {
		counts[c.pool]++
	}
	for n, l := range pools {
		if counts[n] > 0 {
			l.compact(max(0, l.remaining()-len(l.written)) + counts[n])
		}
	}
}
