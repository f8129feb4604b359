package packing

import (
	"cmp"
	"slices"
)

// reuse deals reusable slices to the groups, and returns a list for each group. A group gets at
// most the number that it needs. Groups that could not use clean slices instead come first, so that
// the fewest slices are left. Among other groups, a slice goes to the group that wants most of the
// endpoints that the slice holds, and then to the group whose ports it has.
func (p Problem) reuse(needs []need, overlaps func() []Overlap) [][]int {
	var reusable []int
	for i, s := range p.Slices {
		if s.reusable() {
			reusable = append(reusable, i)
		}
	}
	d := &dealer{problem: p, given: make([][]int, len(needs)), taken: make([]bool, len(p.Slices))}
	if p.NoCreates {
		d.shares, d.left = p.sharesWithoutCreates(needs, len(reusable))
	} else {
		d.shares, d.left = sharesOf(needs, len(reusable))
	}
	if d.left == 0 {
		return d.given
	}
	for _, s := range d.shares {
		d.owed += s.least
	}
	d.byOverlap(overlaps)
	d.byPorts(reusable)
	d.rest(reusable)
	return d.given
}

// share is the least and the largest number of reusable slices that a group gets.
type share struct{ least, most int }

// sharesOf returns the share of each group, and the number of slices that are dealt in all. Every
// reused slice saves a write: the create of a slice, or the update of a clean one. If it saves a
// create, one slice fewer is left as well.
func sharesOf(needs []need, reusable int) (shares []share, dealt int) {
	shares = make([]share, len(needs))
	for k, n := range needs {
		shares[k] = share{least: n.newSlices - n.replaceable, most: n.newSlices}
		dealt += n.newSlices
	}
	return shares, min(dealt, reusable)
}

// dealer hands out reusable slices one by one.
type dealer struct {
	problem Problem
	shares  []share // what each group still gets
	left    int     // the number of slices that are still to be handed out
	owed    int     // how many of these are needed for the least shares
	taken   []bool  // by slice
	given   [][]int // by group
}

// may reports whether a group can get one more slice: enough slices must be left for the least
// shares of the other groups. If there are not enough for all least shares, only a group below its
// least share can get one.
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

// byOverlap deals the slices that hold unassigned endpoints of a group. The largest overlap comes
// first.
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

// byPorts gives each slice that is left to the group whose ports it has.
func (d *dealer) byPorts(reusable []int) {
	for _, i := range reusable {
		if g := d.problem.Slices[i].Ports; g != None && !d.taken[i] && d.may(g) {
			d.give(g, i)
		}
	}
}

// rest deals the slices that are left. Each goes to the first group that still gets one.
func (d *dealer) rest(reusable []int) {
	g := 0
	for _, i := range reusable {
		if d.taken[i] {
			continue
		}
		for g < len(d.shares) && !d.may(g) {
			g++ // this group can get no later slice either
		}
		if g == len(d.shares) {
			return
		}
		d.give(g, i)
	}
}
