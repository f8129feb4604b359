package packing

import (
	"cmp"
	"slices"
)

// Joined is what Join decided.
type Joined struct {
	// Problem is what is left for Place: the endpoints of dissolved slices are unassigned,
	// dissolved slices are recycled, and compacted slices are updated. It shares no memory with the
	// argument of Join.
	Problem Problem
	// Dissolved are the slices that give up all their endpoints, as indices into Problem.Slices.
	Dissolved []int
	// Compacted are the unchanged slices that are updated so that fewer slices are left, as indices
	// into Problem.Slices. If Place puts no endpoint into one of these slices, that slice need not
	// be updated.
	Compacted []int
}

// Join returns which slices dissolve, and the problem that is left for Place. No unchanged slice
// gives up an endpoint.
//
// If nothing can be created, Join changes nothing.
func Join(p Problem) Joined {
	j := Joined{Problem: Problem{p.Limits, slices.Clone(p.Unassigned), slices.Clone(p.Slices)}}
	if p.NoCreates {
		return j
	}
	pools := p.pools()
	p.release(pools)
	for g, l := range pools {
		j.Compacted = append(j.Compacted, l.compacted...)
		for _, i := range l.compacted {
			j.Problem.Slices[i].Updated = true
		}
		for _, i := range l.updated[min(len(l.updated), l.remaining()):] {
			j.Dissolved = append(j.Dissolved, i)
			j.Problem.Unassigned[g] += p.Slices[i].Stay
			j.Problem.Slices[i] = Slice{Group: None, Ports: p.Slices[i].Ports}
		}
	}
	return j
}

// pool has the endpoints of one group that Join may move: the endpoints of updated slices, and the
// unassigned ones. Of the updated slices, the fullest remain: the number of slices that the pool's
// endpoints fill. The number of writes does not depend on which slices remain, because the others
// are written as well: another group takes them, or they are deleted.
type pool struct {
	problem   *Problem
	updated   []int // updated slices, the fullest first
	unchanged []int // other slices with room, the emptiest first
	compacted []int // slices in updated that were unchanged
	total     int   // endpoints that stay in updated slices, and unassigned endpoints
}

// remaining is the number of slices, existing and created, that hold the pool's endpoints in the
// end.
func (l *pool) remaining() int { return l.problem.full(l.total) }

// stay is the number of endpoints that stay in a slice.
func (l *pool) stay(i int) int { return l.problem.Slices[i].Stay }

// compact adds the n emptiest unchanged slices to updated. They come first there, so that they do
// not dissolve. compact is called at most once.
func (l *pool) compact(n int) {
	for _, i := range l.unchanged[:n] {
		l.total += l.stay(i)
	}
	l.compacted = l.unchanged[:n:n]
	l.updated = slices.Concat(l.compacted, l.updated)
}

// pools returns the pool of each group.
func (p *Problem) pools() []*pool {
	pools := make([]*pool, len(p.Unassigned))
	for g, unassigned := range p.Unassigned {
		pools[g] = &pool{problem: p, total: unassigned}
	}
	for i, s := range p.Slices {
		if s.recycled() {
			continue
		}
		if l := pools[s.Group]; s.Updated {
			l.updated = append(l.updated, i)
			l.total += s.Stay
		} else if s.Stay < p.Max {
			l.unchanged = append(l.unchanged, i)
		}
	}
	for _, l := range pools {
		slices.SortFunc(l.updated, p.fullestFirst)
		slices.SortFunc(l.unchanged, p.emptiestFirst)
	}
	return pools
}

// release frees updated slices for groups that would have to create slices. Instead of creating a
// slice for group B, an updated slice of group A dissolves, its endpoints go into an unchanged
// slice of A, and B takes the dissolved slice. That is the same number of writes and one slice
// fewer. Here the maximum is 4, and B needs a slice:
//
//	A *[a b c -] *[d e - -]  [f - - -]   B +[x - - -]   ->   A *[a b c -]  B *[x - - -]  A *[f d e -]
//
// If more slices can be freed than are needed, the emptiest are freed.
func (p *Problem) release(pools []*pool) {
	lacking := 0 // slices that must be created, in all groups
	for _, s := range p.Slices {
		if s.Updated || s.recycled() {
			lacking--
		}
	}
	type candidate struct{ stay, pool int }
	var candidates []candidate
	for n, l := range pools {
		left := l.remaining()
		lacking += left
		fits := p.fitting(l.unchanged, left*p.Max-l.total, left)
		created := max(0, left-len(l.updated))
		lacking -= min(fits, created) // for these, Place fills an unchanged slice, so none is freed
		for k := created; k < fits; k++ {
			candidates = append(candidates, candidate{l.stay(l.updated[left-1-k]), n})
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(a.stay, b.stay) })
	counts := make([]int, len(pools))
	for _, c := range candidates[:min(len(candidates), max(0, lacking))] {
		counts[c.pool]++
	}
	for n, l := range pools {
		if counts[n] > 0 {
			l.compact(max(0, l.remaining()-len(l.updated)) + counts[n])
		}
	}
}

// emptiestFirst is the reverse of fullestFirst.
func (p Problem) emptiestFirst(a, b int) int { return p.fullestFirst(b, a) }

// fitting returns how many unchanged slices can replace new slices: at most limit, the emptiest
// first. Each costs a free place for each of its endpoints, because the new slice would be empty.
// free is the number of free places that may be used up.
func (p Problem) fitting(unchanged []int, free, limit int) int {
	unchanged = unchanged[:min(len(unchanged), limit)]
	for n, i := range unchanged {
		if free -= p.Slices[i].Stay; free < 0 {
			return n
		}
	}
	return len(unchanged)
}
