package packing

import (
	"cmp"
	"slices"
)

// reuse deals the idle slices to the needs: as many as are needed; first where no clean slice could stand in, so that
// the fewest slices are left; then to the group that wants most of what they hold; then to the group whose ports they
// have. It returns a list for each need.
func (p Problem) reuse(needs []need, overlaps func() []Overlap) [][]int {
	idle := p.idleSlices()
	given := make([][]int, len(needs))
	if len(idle) == 0 {
		return given
	}
	d := &dealer{problem: p, needs: needs, given: given}
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
	d.of = make([]int, len(p.Groups))
	for g := range d.of {
		d.of[g] = None
	}
	for k, n := range needs {
		d.of[n.group] = k
	}
	d.taken = make([]bool, len(p.Slices))
	d.byOverlap(overlaps)
	d.byPorts(idle)
	d.rest(idle)
	return d.given
}

func (p Problem) idleSlices() []int {
	var idle []int
	for i, s := range p.Slices {
		if s.idle() {
			idle = append(idle, i)
		}
	}
	return idle
}

// share is how many idle slices a need gets: at least and at most.
type share struct{ least, most int }

// sharesOf returns the share of each need and the number of slices that are dealt in all. Every idle slice that is
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
	needs   []need
	shares  []share // what each need still gets
	left    int     // slices still to hand out
	owed    int     // how many of these the least shares take
	of      []int   // group to need
	taken   []bool  // by slice
	given   [][]int // by need
}

// may reports whether a need can get one more slice without another need going short. Where there are fewer slices than all
// needs must have, only a need that still must have one can.
func (d *dealer) may(k int) bool {
	s := d.shares[k]
	return d.left > 0 && s.most > 0 && (s.least > 0 || d.left > d.owed)
}

func (d *dealer) give(k, slice int) {
	d.given[k] = append(d.given[k], slice)
	d.taken[slice] = true
	d.left--
	s := &d.shares[k]
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
		if k := d.of[o.Group]; k != None && o.Count > 0 && !d.taken[o.Slice] && d.may(k) {
			d.give(k, o.Slice)
		}
	}
}

// byPorts lets slices keep their ports where these are needed.
func (d *dealer) byPorts(idle []int) {
	for _, i := range idle {
		ports := d.problem.Slices[i].Ports
		if ports != None && d.of[ports] != None && !d.taken[i] && d.may(d.of[ports]) {
			d.give(d.of[ports], i)
		}
	}
}

// rest deals what is left, to the first need that still gets one.
func (d *dealer) rest(idle []int) {
	k := 0
	for _, i := range idle {
		if d.taken[i] {
			continue
		}
		for k < len(d.needs) && !d.may(k) {
			k++ // for good: a need that goes without one now gets none later
		}
		if k == len(d.needs) {
			return
		}
		d.give(k, i)
	}
}
