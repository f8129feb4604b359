package slicer

import (
	"cmp"
	"slices"
	"strings"
)

// reuse gives the slices in which nothing is at home, which cost a write anyway, to the groups that need whole slices
// (G4): as many as are needed; first where no clean slice could do instead, so that the fewest slices are left; then to
// the group that wants most of their endpoints.
func (p *planner) reuse(t int32, needs []*need) {
	var idle []int32
	for i := range p.slices {
		if s := &p.slices[i]; s.typ == t && s.fate == free {
			idle = append(idle, int32(i))
		}
	}
	if len(idle) == 0 || len(needs) == 0 {
		return
	}
	slices.SortFunc(idle, func(a, b int32) int { return strings.Compare(p.slices[a].object.Name, p.slices[b].object.Name) })
	r := &reuser{p: p, least: make([]int, len(needs)), most: make([]int, len(needs)), needs: needs}
	r.limits(len(idle))
	r.byOverlap(idle)
	r.byPorts(idle)
	r.rest(idle)
}

// reuser hands out idle slices. Each need gets at least least and at most most of them, left in all.
type reuser struct {
	p           *planner
	needs       []*need
	least, most []int
	left        int // slices still to hand out
	owed        int // the sum of least
}

func (r *reuser) limits(idle int) {
	if r.p.in.Set.Terminating {
		r.limitsWithoutCreates(idle)
		return
	}
	for k, n := range r.needs {
		r.most[k] = n.whole
		r.least[k] = n.whole - r.p.openable(n)
		r.left += n.whole
		r.owed += r.least[k]
	}
	if r.left = min(r.left, idle); r.left < r.owed {
		copy(r.most, r.least)
		clear(r.least)
		r.owed = 0
	}
}

// may reports whether a slice can go to a need without another one going short.
func (r *reuser) may(k int) bool {
	return r.left > 0 && r.most[k] > 0 && (r.least[k] > 0 || r.left > r.owed)
}

func (r *reuser) give(k int, index int32) {
	s, n := &r.p.slices[index], r.needs[k]
	if s.was != n.group {
		s.reasons.add(PortsChanged)
	}
	s.group, s.fate = n.group, stays
	n.reused = append(n.reused, index)
	r.left--
	r.most[k]--
	if r.least[k] > 0 {
		r.least[k]--
		r.owed--
	}
}

// byOverlap settles the pairs of slice and need that share endpoints, the largest overlap first.
func (r *reuser) byOverlap(idle []int32) {
	type pair struct {
		overlap int
		index   int // into idle
		k       int // into needs
	}
	if r.left == 0 {
		return
	}
	of := make(map[int32]int, len(r.needs))
	for k, n := range r.needs {
		of[n.group] = k
	}
	w := r.p.wanters()
	var pairs []pair
	for index, i := range idle {
		s := &r.p.slices[i]
		met := r.p.scratch[:0]
		for j := range s.object.Endpoints {
			w.of(&s.object.Endpoints[j], s.typ, func(i int32) {
				if r.p.items[i].slice == none {
					met = append(met, i)
				}
			})
		}
		r.p.scratch = met
		slices.Sort(met)
		counts := map[int]int{}
		for _, i := range slices.Compact(met) { // a slice may hold an endpoint twice
			if k, ok := of[r.p.items[i].group]; ok {
				counts[k]++
			}
		}
		for k, overlap := range counts {
			pairs = append(pairs, pair{overlap, index, k})
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(-cmp.Compare(a.overlap, b.overlap), cmp.Compare(a.index, b.index), cmp.Compare(a.k, b.k))
	})
	for _, c := range pairs {
		if r.p.slices[idle[c.index]].fate == free && r.may(c.k) {
			r.give(c.k, idle[c.index])
		}
	}
}

// byPorts lets slices keep their ports where these are needed.
func (r *reuser) byPorts(idle []int32) {
	of := make(map[int32]int, len(r.needs))
	for k, n := range r.needs {
		of[n.group] = k
	}
	for _, i := range idle {
		s := &r.p.slices[i]
		if k, ok := of[s.was]; ok && s.fate == free && r.may(k) {
			r.give(k, i)
		}
	}
}

// rest hands out what is left, in the plan's order of groups.
func (r *reuser) rest(idle []int32) {
	k := 0
	for _, i := range idle {
		if r.p.slices[i].fate != free {
			continue
		}
		for k < len(r.needs) && !r.may(k) {
			k++
		}
		if k == len(r.needs) {
			return
		}
		r.give(k, i)
	}
}

// limitsWithoutCreates decides how many slices each need gets when nothing may be created: the places that a slice wins
// for endpoints which would find none count first, then the clean slices that it saves from being written.
func (r *reuser) limitsWithoutCreates(idle int) {
	type unit struct{ places, writes, k int }
	var units []unit
	for k, n := range r.needs {
		for left := n.places; left > 0; left -= r.p.max {
			unplaced, writes := r.withoutCreates(n, left)
			then, fewer := r.withoutCreates(n, left-r.p.max)
			units = append(units, unit{unplaced - then, writes - fewer, k})
		}
	}
	slices.SortStableFunc(units, func(a, b unit) int {
		return cmp.Or(-cmp.Compare(a.places, b.places), -cmp.Compare(a.writes, b.writes))
	})
	for _, u := range units[:min(len(units), idle)] {
		if u.places+u.writes > 0 {
			r.most[u.k]++
			r.left++
		}
	}
	copy(r.least, r.most)
	r.owed = r.left
}

// withoutCreates says how many endpoints of those left find no place in clean slices, and how many of these are written.
func (r *reuser) withoutCreates(n *need, left int) (unplaced, writes int) {
	for _, s := range n.clean {
		if left <= 0 {
			break
		}
		left -= r.p.max - int(r.p.slices[s].homes)
		writes++
	}
	return max(left, 0), writes
}
