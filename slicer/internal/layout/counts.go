package layout

import (
	"slices"

	"github.com/slicewright/slicewright/slicer/internal/packing"
)

// counts is a class as a problem of package packing. Its groups are all that there are: those of other classes need nothing.
type counts struct {
	packing.Problem
	slices []int32 // what its slices stand for, by name
}

func (f *filler) count(class int32) counts {
	c := counts{Problem: packing.Problem{Limits: f.Limits, Unassigned: make([]int, f.items.Groups())}}
	for g, list := range f.unplaced {
		if f.items.Class(int32(g)) == class {
			c.Unassigned[g] = len(list)
		}
	}
	for i := range f.l.Slices {
		s := &f.l.Slices[i]
		if s.Class != class {
			continue
		}
		of := packing.Slice{Group: packing.None, Ports: int(s.Ports)}
		if s.Outcome == Kept {
			of.Group, of.Homes, of.Written = int(s.Group), int(s.Stay), s.Written
		}
		c.Slices, c.slices = append(c.Slices, of), append(c.slices, int32(i))
	}
	return c
}

// join lets slices dissolve as packing.Join says. Their items lose their place.
func (f *filler) join(c *counts) {
	joined := packing.Join(c.Problem, f.DissolveUpTo)
	c.Problem = joined.Problem
	for _, n := range joined.Compacted {
		f.l.Slices[c.slices[n]].Compacted = true
	}
	for _, n := range joined.Dissolved {
		s := &f.l.Slices[c.slices[n]]
		s.Outcome, s.Group, s.Stay, s.Surplus, s.Dissolved = Idle, None, 0, 0, true
	}
	if len(joined.Dissolved) == 0 {
		return
	}
	for i, at := range f.l.Places {
		if f.l.Live(at) && f.l.Slices[at].Outcome == Idle {
			f.l.Places[i] = Nowhere
		}
	}
	f.unplaced = f.l.Unplaced(f.items)
}

// overlaps counts, for the idle slices of a problem, the unplaced items of each group that they hold.
func (f *filler) overlaps(c counts) []packing.Overlap {
	var list []packing.Overlap
	unplaced := NewCandidates(f.items.Row, func(item int32) bool { return f.l.Places[item] == Nowhere })
	for n, i := range c.slices {
		if c.Slices[n].Group != packing.None {
			continue
		}
		var held []int32
		for _, id := range f.items.Held(i) {
			held = unplaced.Of(held, id)
		}
		slices.Sort(held)
		numbers := map[int32]int{}
		for _, item := range slices.Compact(held) { // a slice may hold an endpoint twice
			numbers[f.items.Group(item)]++
		}
		for g, count := range numbers {
			list = append(list, packing.Overlap{Slice: n, Group: int(g), Count: count})
		}
	}
	return list
}

// Candidates lists for identities the items that are still free, at most maxCandidates of each: the first in the order of their
// groups. So an endpoint that slices hold on lost ports counts for the first few of the port sets that want it and lack it, and
// the cost stays linear where thousands of port sets want one endpoint.
type Candidates struct {
	row   func(identity int32) []int32
	Free  func(item int32) bool // once false, it stays so
	rests map[int32][]int32     // of identities with more items than maxCandidates: those that may still be free
}

const maxCandidates = 16

// NewCandidates returns the candidates among the rows of items.
func NewCandidates(row func(identity int32) []int32, free func(item int32) bool) Candidates {
	return Candidates{row: row, Free: free, rests: map[int32][]int32{}}
}

// Of appends the candidates of an identity to list.
func (c *Candidates) Of(list []int32, identity int32) []int32 {
	rest, known := c.rests[identity]
	if !known {
		rest = c.row(identity)
	}
	start, seen := len(list), 0
	for ; seen < len(rest) && len(list)-start < maxCandidates; seen++ {
		if c.Free(rest[seen]) {
			list = append(list, rest[seen])
		}
	}
	if known || len(rest) > maxCandidates {
		if !known {
			rest = slices.Clone(rest)
		}
		still := list[start:]
		c.rests[identity] = rest[seen-len(still):]
		copy(c.rests[identity], still)
	}
	return list
}
