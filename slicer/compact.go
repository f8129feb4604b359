package slicer

import "slices"

// joint is what Compact may deal anew in one group: the endpoints of the slices that are written, and those that need a
// place. As many slices stay as these fill, the first of written; the others dissolve.
type joint struct {
	group   int32
	written []int32 // slices that are written and keep endpoints unless they dissolve: the fullest first
	clean   []int32 // others with room, the emptiest first
	total   int     // endpoints at home in written, and those that need a place
	stable  int     // those of written that are too full to dissolve
}

// left is how many slices are left of those that are written and those that must be created.
func (p *planner) left(j *joint) int { return max(p.whole(j.total), j.stable) }

// whole is the number of slices that n endpoints fill.
func (p *planner) whole(n int) int { return (n + p.max - 1) / p.max }

// compact lets written slices join: of each group as many stay as its endpoints fill, the fullest, and the others
// dissolve. Each costs one write either way. What follows is as in place: their endpoints look for room, and they
// themselves are re-used or deleted.
func (p *planner) compact(t int32, byGroup [][]int32) {
	var joints []*joint
	for _, g := range p.order {
		if p.groups[g].typ == t && p.groups[g].count > 0 {
			joints = append(joints, p.joint(g, byGroup[g]))
		}
	}
	if p.extra > 0 {
		p.writeMore(t, joints)
	} else {
		p.lend(t, joints)
	}
	dissolving := false
	for _, j := range joints {
		stay := min(len(j.written), p.left(j))
		for _, i := range j.written[stay:] {
			p.dissolve(&p.slices[i])
			dissolving = true
		}
	}
	if !dissolving {
		return
	}
	for i := range p.items {
		it := &p.items[i]
		if it.slice == none || p.groups[it.group].typ != t || p.slices[it.slice].fate != free {
			continue
		}
		it.slice = none
		g := &p.groups[it.group]
		g.items = append(g.items, int32(i))
	}
}

func (p *planner) joint(g int32, of []int32) *joint {
	j := &joint{group: g, total: len(p.groups[g].items)}
	for _, i := range of {
		switch s := &p.slices[i]; {
		case s.reasons != 0:
			j.written = append(j.written, i)
			j.count(p, i)
		case int(s.homes) < p.max:
			j.clean = append(j.clean, i)
		}
	}
	slices.SortFunc(j.written, func(a, b int32) int { return -p.byFill(a, b) })
	slices.SortFunc(j.clean, p.byFill)
	return j
}

// count adds a slice to those that are written.
func (j *joint) count(p *planner, i int32) {
	homes := int(p.slices[i].homes)
	j.total += homes
	if homes > p.stable {
		j.stable++
	}
}

// take makes the n emptiest clean slices written ones, before all others.
func (p *planner) take(j *joint, n int) {
	for _, i := range j.clean[:n] {
		p.slices[i].reasons.add(Compacted)
		j.count(p, i)
	}
	j.written = append(slices.Clone(j.clean[:n]), j.written...)
	j.clean = j.clean[n:]
}

// must counts the slices of an address type that cost a write whatever becomes of them.
func (p *planner) must(t int32) int {
	n := 0
	for i := range p.slices {
		if s := &p.slices[i]; s.typ == t && (s.fate == free || s.fate == stays && s.reasons != 0) {
			n++
		}
	}
	return n
}

// dissolve sets a slice free. Of the reasons to write it those stay that hold whatever it will hold.
func (p *planner) dissolve(s *slice) {
	s.fate, s.homes = free, 0
	s.reasons &= 1<<LabelsChanged | 1<<AnnotationsChanged | 1<<OwnersChanged | 1<<Compacted
	s.reasons.add(Dissolved)
}
