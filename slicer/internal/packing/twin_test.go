package packing_test

import (
	"cmp"
	"slices"

	. "github.com/slicewright/slicewright/slicer/internal/packing"
)

// cost is what a plan costs: the first field counts most.
type cost struct{ unplaced, writes, slices int }

func (c cost) compare(d cost) int {
	return cmp.Or(cmp.Compare(c.unplaced, d.unplaced), cmp.Compare(c.writes, d.writes), cmp.Compare(c.slices, d.slices))
}

// afterSurplus lets what a written slice holds above the maximum leave, unless nothing can be
// created, as callers do before they call Place or Join.
func afterSurplus(p Problem) Problem {
	p.Unassigned, p.Slices = slices.Clone(p.Unassigned), slices.Clone(p.Slices)
	for i := range p.Slices {
		for s := &p.Slices[i]; s.Written && s.Stay > p.Max && !p.NoCreates; s.Stay-- {
			p.Unassigned[s.Group]++
		}
	}
	return p
}

// plan is one way to place the unassigned endpoints of a problem.
type plan struct {
	reusedBy []int  // by slice: the group that reuses it, if it is reusable; None: it is deleted
	opened   []bool // by slice: it is clean, and written for its room
	created  []int  // by group
	cost     cost
}

// everyPlan calls visit with each plan of a problem that places all endpoints, or as many as it can
// where nothing can be created. A plan creates no more slices than it needs. visit must copy what
// it keeps.
func everyPlan(p Problem, visit func(*plan)) {
	a := &plan{reusedBy: make([]int, len(p.Slices)), opened: make([]bool, len(p.Slices)),
		created: make([]int, len(p.Unassigned))}
	var try func(i int)
	try = func(i int) {
		if i == len(p.Slices) {
			a.complete(p)
			visit(a)
			return
		}
		a.reusedBy[i], a.opened[i] = None, false
		try(i + 1)
		switch s := p.Slices[i]; {
		case s.Group == None:
			for g := range p.Unassigned {
				if p.Unassigned[g] > 0 {
					a.reusedBy[i] = g
					try(i + 1)
				}
			}
		case !s.Written && s.Stay < p.Max:
			a.opened[i] = true
			try(i + 1)
		}
	}
	try(0)
}

// complete creates what is missing and counts.
func (a *plan) complete(p Problem) {
	a.cost = cost{}
	for i, s := range p.Slices {
		if s.Group == None || s.Written || a.opened[i] {
			a.cost.writes++
		}
		if s.Group != None || a.reusedBy[i] != None {
			a.cost.slices++
		}
	}
	for g := range p.Unassigned {
		left := p.Unassigned[g]
		for i, s := range p.Slices {
			if s.Group == g && (s.Written || a.opened[i]) {
				left -= max(0, p.Max-s.Stay)
			}
			if a.reusedBy[i] == g {
				left -= p.Max
			}
		}
		a.created[g] = 0
		for ; left > 0 && !p.NoCreates; left -= p.Max {
			a.created[g]++
			a.cost.writes++
			a.cost.slices++
		}
		a.cost.unplaced += max(0, left)
	}
}

// wish is a pair of a reusable slice and a group that might reuse it.
type wish struct{ slice, group, overlap int }

// wishes lists all pairs, the one to be granted first coming first: the largest overlap, then equal
// ports.
func wishes(p Problem, overlaps []Overlap) []wish {
	var list []wish
	for i, s := range p.Slices {
		for g := range p.Unassigned {
			w := wish{slice: i, group: g}
			for _, o := range overlaps {
				if o.Slice == i && o.Group == g {
					w.overlap = o.Count
				}
			}
			if s.Group == None {
				list = append(list, w)
			}
		}
	}
	otherPorts := func(w wish) int {
		if w.overlap > 0 || p.Slices[w.slice].Ports == w.group {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b wish) int {
		return cmp.Or(cmp.Compare(b.overlap, a.overlap), cmp.Compare(otherPorts(a), otherPorts(b)))
	})
	return list
}

// byFill lists the slices of a problem, the fullest first.
func byFill(p Problem) []int {
	var list []int
	for i := range p.Slices {
		list = append(list, i)
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(p.Slices[b].Stay, p.Slices[a].Stay) })
	return list
}

// bestPlan finds the best of all plans: the cheapest; then the one that grants the first wish; then
// the second, and so on; then the one that opens the fullest slice; then the second fullest, and so
// on.
func bestPlan(p Problem, overlaps []Overlap) *plan {
	list, fill := wishes(p, overlaps), byFill(p)
	better := func(a, b *plan) bool {
		if d := a.cost.compare(b.cost); d != 0 {
			return d < 0
		}
		for _, w := range list {
			if x, y := a.reusedBy[w.slice] == w.group, b.reusedBy[w.slice] == w.group; x != y {
				return x
			}
		}
		for _, i := range fill {
			if a.opened[i] != b.opened[i] {
				return a.opened[i]
			}
		}
		return false
	}
	var best *plan
	everyPlan(p, func(a *plan) {
		if best == nil || better(a, best) {
			best = &plan{slices.Clone(a.reusedBy), slices.Clone(a.opened), slices.Clone(a.created), a.cost}
		}
	})
	return best
}

// written finds the slices that are written anyway and take a group's new endpoints. If there are
// more than one for each hundred that stay, it is the fullest slice, then the second fullest, and
// so on, until all endpoints have room. Otherwise, of all sets with room for as many as possible,
// it is the smallest; then the one with the fullest slice; then with the second fullest, and so on.
func written(p Problem, group int) (best []int) {
	var list []int
	stay := 0
	for _, i := range byFill(p) {
		if s := p.Slices[i]; s.Group == group {
			stay += s.Stay
			if s.Written && s.Stay < p.Max {
				list = append(list, i)
			}
		}
	}
	if p.Unassigned[group] > stay/100 {
		for _, i := range list {
			if roomOf(p, best) < p.Unassigned[group] {
				best = append(best, i)
			}
		}
		return best
	}
	placed := 0
	for set := 1<<len(list) - 1; set >= 0; set-- { // the highest bit is the fullest slice
		var chosen []int
		for n, i := range list {
			if set>>(len(list)-1-n)&1 == 1 {
				chosen = append(chosen, i)
			}
		}
		if room := min(roomOf(p, chosen), p.Unassigned[group]); room > placed ||
			room == placed && len(chosen) < len(best) {
			best, placed = chosen, room
		}
	}
	return best
}

// roomOf is the number of endpoints for which slices have room together.
func roomOf(p Problem, list []int) (room int) {
	for _, i := range list {
		room += p.Max - p.Slices[i].Stay
	}
	return room
}

// deals writes a plan as Place does.
func (a *plan) deals(p Problem, overlaps []Overlap) []Deal {
	deals := make([]Deal, len(p.Unassigned))
	for g := range p.Unassigned {
		if p.Unassigned[g] == 0 {
			continue
		}
		d := &deals[g]
		d.Created = a.created[g]
		d.Written = written(p, g)
		for _, i := range byFill(p) {
			if a.opened[i] && p.Slices[i].Group == g {
				d.Opened = append(d.Opened, i)
			}
		}
		for _, w := range wishes(p, overlaps) {
			if w.group == g && a.reusedBy[w.slice] == g {
				d.Reused = append(d.Reused, w.slice)
			}
		}
	}
	return deals
}

// joinedCost is what Join makes small.
type joinedCost struct{ writes, slices, moves int }

func (c joinedCost) compare(d joinedCost) int {
	return cmp.Or(cmp.Compare(c.writes, d.writes), cmp.Compare(c.slices, d.slices), cmp.Compare(c.moves, d.moves))
}

// leastJoined finds the least that joining and placing can cost: it tries every set of written
// slices that may dissolve, and after that every plan.
func leastJoined(p Problem, dissolveUpTo int) joinedCost {
	least := joinedCost{writes: 1 << 30}
	q := Problem{p.Limits, slices.Clone(p.Unassigned), slices.Clone(p.Slices)}
	moves := 0
	var try func(i int)
	try = func(i int) {
		if i == len(p.Slices) {
			everyPlan(q, func(a *plan) {
				if c := (joinedCost{a.cost.writes, a.cost.slices, moves}); c.compare(least) < 0 {
					least = c
				}
			})
			return
		}
		try(i + 1)
		s := p.Slices[i]
		if s.Group == None || s.Stay > dissolveUpTo || !s.Written {
			return
		}
		q.Slices[i], moves = Slice{Group: None, Ports: s.Ports}, moves+s.Stay
		q.Unassigned[s.Group] += s.Stay
		try(i + 1)
		q.Slices[i], moves = s, moves-s.Stay
		q.Unassigned[s.Group] -= s.Stay
	}
	try(0)
	return least
}
