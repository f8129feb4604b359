package packing

import (
	"cmp"
	"slices"
)

// reuse deals the idle slices to the groups: as many as are needed; first where no clean slice could stand in, so that
// the fewest slices are left; then to the group that wants most of what they hold; then to the group whose ports they
// have. It returns a list for each group.
func (p Problem) reuse(needs []need, overlaps func() []Overlap) [][]int {
	var idle []int
	for i, s := range p.Slices {
		if s.idle() {
			idle = append(idle, i)
		}
	}
	d := &dealer{problem: p, given: make([][]int, len(needs)), taken: make([]bool, len(p.Slices))}
	if p.NoCreates {
		d.shares, d.left = p.sharesWithoutCreates(needs, len(idle))
	} else {
		d.shares, d.left = sharesOf(needs, len(idle))
	}
	if d.left == 0 {
		return d.given
	}
	for _, s := range d.shares {
		d.owed += s.least
	}
	d.byOverlap(overlaps)
	d.byPorts(idle)
	d.rest(idle)
	return d.given
}

// share is how many idle slices a group gets: at least and at most.
type share struct{ least, most int }

// sharesOf returns the share of each group and the number of slices that are dealt in all. Every idle slice that is
// re-used saves a write, a create or an opened slice. It saves a slice as well where it stands in for a create.
func sharesOf(needs []need, idle int) (shares []share, dealt int) {
	shares = make([]share, len(needs))
	for k, n := range needs {
		shares[k] = share{least: n.newSlices - n.replaceable, most: n.newSlices}
		dealt += n.newSlices
	}
	return shares, min(dealt, idle)
}

// dealer hands out idle slices one by one.
type dealer struct {
	problem Problem
	shares  []share // what each group still gets
	left    int     // slices still to hand out
	owed    int     // how many of these the least shares take
	taken   []bool  // by slice
	given   [][]int // by group
}

// may reports whether a group can get one more slice without another one going short. Where there are fewer slices than all
// groups must have, only a group that still must have one can.
func (d *dealer) may(group int) bool {
	s := d.shares[group]
	return s.most > 0 && (s.least > 0 || d.left > d.owed)
}

func (d *dealer) give(group, slice int) {
	d.given[group] = append(d.given[group], slice)
	d.taken[slice] = true
	d.left--
	s := &d.shares[group]
	s.most--
	if s.least > 0 {
		s.least--
		d.owed--
	}
}

// byOverlap deals the slices that hold endpoints which some group wants, the largest overlap first.
func (d *dealer) byOverlap(overlaps func() []Overlap) {
	list := overlaps()
	slices.SortFunc(list, func(a, b Overlap) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Slice, b.Slice), cmp.Compare(a.Group, b.Group))
	})
	for _, o := range list {
		if o.Count > 0 && !d.taken[o.Slice] && d.may(o.Group) {
			d.give(o.Group, o.Slice)
		}
	}
}

// byPorts lets slices keep their ports where these are needed.
func (d *dealer) byPorts(idle []int) {
	for _, i := range idle {
		if g := d.problem.Slices[i].Ports; g != None && !d.taken[i] && d.may(g) {
			d.give(g, i)
		}
	}
}

// rest deals what is left, to the first group that still gets one.
func (d *dealer) rest(idle []int) {
	g := 0
	for _, i := range idle {
		if d.taken[i] {
			continue
		}
		for g < len(d.shares) && !d.may(g) {
			g++ // for good: a group that goes without one now gets none later
		}
		if g == len(d.shares) {
			return
		}
		d.give(g, i)
	}
}
