package packing

import (
	"cmp"
	"slices"
)

// reuse deals reusable slices to the groups, and returns a list for each group. A group gets at
// most what it needs. First come groups for which no clean slice could be used instead, so that the
// fewest slices are left. Then a slice goes to the group that wants most of what it holds, and then
// to the group whose ports it has.
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

// share is how many reusable slices a group gets: at least and at most.
type share struct{ least, most int }

// sharesOf returns the share of each group, and the number of slices that are dealt in all. Every
// reused slice saves a write: a create or an opened slice. If it is used instead of a create, it
// also saves a slice.
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
	left    int     // slices still to hand out
	owed    int     // how many of these the least shares take
	taken   []bool  // by slice
	given   [][]int // by group
}

// may reports whether a group can get one more slice, so that enough are left for the least shares
// of the others. If there are fewer slices than that, only a group below its least share can get
// one.
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

// byOverlap deals the slices that hold endpoints which a group wants, the largest overlap first.
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

// byPorts deals slices to the groups whose ports they have already.
func (d *dealer) byPorts(reusable []int) {
	for _, i := range reusable {
		if g := d.problem.Slices[i].Ports; g != None && !d.taken[i] && d.may(g) {
			d.give(g, i)
		}
	}
}

// rest deals the slices that are left, each to the first group that still gets one.
func (d *dealer) rest(reusable []int) {
	g := 0
	for _, i := range reusable {
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
