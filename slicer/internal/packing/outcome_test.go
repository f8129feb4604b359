package packing_test

import (
	"fmt"

	. "github.com/slicewright/slicewright/slicer/internal/packing"
)

// fate is what a plan makes of one slice.
type fate struct {
	before Slice // for a created slice: None, and clean
	group  int   // that it serves in the end; None: it is deleted
	gives  int   // endpoints that leave it
	takes  int   // endpoints that it takes
	writes bool
	chosen bool // for its room: opened, re-used or created
}

// outcome is what Join and Place leave.
type outcome struct {
	fates    []fate // of the slices in their order, then of the created ones
	unplaced []int  // by group
}

// apply fills slices with counts as the deals say. joined says what Join did before.
func apply(p Problem, joined Joined, deals []Deal) outcome {
	o := outcome{fates: make([]fate, len(p.Slices)), unplaced: make([]int, len(p.Unassigned))}
	for i, s := range p.Slices {
		o.fates[i] = fate{before: s, group: s.Group, writes: s.Group == None || s.Written}
	}
	for _, i := range joined.Dissolved {
		f := &o.fates[i]
		f.group, f.gives, f.writes = None, f.before.Stay, true
	}
	for g, d := range deals {
		left := joined.Problem.Unassigned[g]
		take := func(i int, chosen bool, room int) {
			f := &o.fates[i]
			f.group, f.takes, f.chosen = g, min(left, room), chosen
			f.writes = f.writes || f.takes > 0
			left -= f.takes
		}
		for _, i := range d.Written {
			take(i, false, p.Max-p.Slices[i].Stay)
		}
		for _, i := range d.Opened {
			take(i, true, p.Max-p.Slices[i].Stay)
		}
		for _, i := range d.Reused {
			take(i, true, p.Max)
		}
		for range d.Created {
			o.fates = append(o.fates, fate{before: Slice{Group: None, Ports: None}})
			take(len(o.fates)-1, true, p.Max)
		}
		o.unplaced[g] = left
	}
	return o
}

// check reports what no plan may do.
func (o outcome) check(p Problem, dissolveUpTo int) error {
	for i, f := range o.fates {
		switch stay := f.before.Stay - f.gives; {
		case f.takes > 0 && stay+f.takes > p.Max:
			return fmt.Errorf("slice %d gets more than the maximum", i)
		case f.takes == 0 && f.chosen:
			return fmt.Errorf("slice %d is opened, re-used or created for nothing", i)
		case f.gives != 0 && f.before.Stay > dissolveUpTo:
			return fmt.Errorf("slice %d is too full to dissolve", i)
		case f.gives != 0 && !f.before.Written:
			return fmt.Errorf("slice %d is clean and dissolves", i)
		case stay > 0 && f.group != f.before.Group:
			return fmt.Errorf("slice %d serves group %d, and endpoints of %d stay", i, f.group, f.before.Group)
		}
	}
	for g, left := range o.unplaced {
		if left > 0 && !p.NoCreates {
			return fmt.Errorf("%d endpoints of group %d find no place", left, g)
		}
	}
	return nil
}

func (o outcome) cost() (c cost, moves int) {
	for _, f := range o.fates {
		if f.writes {
			c.writes++
		}
		if f.group != None {
			c.slices++
		}
		moves += f.gives
	}
	for _, left := range o.unplaced {
		c.unplaced += left
	}
	return c, moves
}
