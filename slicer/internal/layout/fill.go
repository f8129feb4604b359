package layout

import (
	"slices"

	"github.com/slicewright/slicewright/slicer/internal/packing"
)

// Items is what Fill asks about items and endpoints. An identity is one endpoint, whatever its ports.
type Items interface {
	// Sort brings items into the canonical order of their endpoints.
	Sort(items []int32)
	// Groups is the number of groups.
	Groups() int
	// Group is the group of an item.
	Group(item int32) int32
	// Class is the class of a group.
	Class(group int32) int32
	// Held lists the identities of the endpoints that a live slice holds. It is valid until the next call.
	Held(slice int32) []int32
	// Row lists the items of an identity, in the order of their groups.
	Row(identity int32) []int32
	// At is the item that an identity is in a group, or None.
	At(identity, group int32) int32
}

// Rules are what a layout must keep.
type Rules struct {
	packing.Limits
	Compact      bool // slices that are written anyway dissolve, so that fewer are left
	DissolveUpTo int  // the number of items at home in a slice up to which it may dissolve
}

// Fill completes a layout in which every item is at home or Nowhere. empty says of each class whether it has no items and one empty
// slice is to be left. Of another class without items nothing is left.
func (l *Layout) Fill(r Rules, empty []bool, items Items) {
	f := filler{Rules: r, l: l, items: items}
	for i := range l.Slices {
		if s := &l.Slices[i]; s.Class == None {
			s.Outcome = Deleted
		} else if s.Group == None {
			s.Outcome = Idle
		}
	}
	f.dropSurplus()
	f.unplaced = l.Unplaced(items)
	for class, isEmpty := range empty {
		if isEmpty {
			f.placeholder(int32(class))
		} else {
			f.place(int32(class))
		}
	}
	for i := range l.Slices {
		if s := &l.Slices[i]; s.Outcome == Idle { // nobody re-uses it
			s.Outcome = Deleted
		}
	}
	l.list(items)
}

// filler is the state of Fill.
type filler struct {
	Rules
	l        *Layout
	items    Items
	unplaced [][]int32 // items, by group; nil when there are none
}

// dropSurplus takes out of slices that are written what they have too many: the last items in canonical order. How many may stay
// is a rule of package packing, Limits.Stay.
func (f *filler) dropSurplus() {
	holdsMore := func(s Slice) bool { return s.Written && !f.Fits(int(s.Stay)) }
	if !slices.ContainsFunc(f.l.Slices, holdsMore) {
		return
	}
	overMax := map[Place][]int32{} // items at home, by slice
	for i, at := range f.l.Places {
		if at != Nowhere && holdsMore(f.l.Slices[at]) {
			overMax[at] = append(overMax[at], int32(i))
		}
	}
	for at, list := range overMax {
		f.items.Sort(list)
		for _, i := range list[f.Limits.Stay(len(list)):] {
			s := &f.l.Slices[at]
			s.Stay--
			s.Surplus++
			f.l.Places[i] = Nowhere
		}
	}
}

// place places the items of a class that have no place. How many each slice takes, and which slices, is decided in package
// packing, by Join and Place; which items these are is decided here, by deal.
func (f *filler) place(class int32) {
	if f.unplaced == nil && !f.Compact {
		return
	}
	c := f.count(class)
	if f.Compact {
		f.join(&c)
	}
	if !slices.ContainsFunc(c.Unassigned, func(endpoints int) bool { return endpoints > 0 }) {
		return
	}
	for g, deal := range packing.Place(c.Problem, func() []packing.Overlap { return f.overlaps(c) }) {
		if c.Unassigned[g] > 0 {
			f.deal(c, int32(g), deal)
		}
	}
}

// deal puts the unplaced items of a group where package packing says, in canonical order. What finds no place, because nothing can
// be created, keeps none. Re-used slices first take back the endpoints that they hold, so that these change their ports in one
// write.
func (f *filler) deal(c counts, group int32, deal packing.Deal) {
	list := f.unplaced[group]
	f.items.Sort(list)
	for _, n := range deal.Reused {
		f.takeBack(group, c.slices[n])
	}
	next := 0
	fill := func(to Place, room int) {
		for ; room > 0 && next < len(list); next++ {
			if f.l.Places[list[next]] == Nowhere {
				f.put(list[next], to)
				room--
			}
		}
	}
	for _, numbers := range [...][]int{deal.Written, deal.Opened, deal.Reused} {
		for _, n := range numbers {
			s := &f.l.Slices[c.slices[n]]
			fill(Place(c.slices[n]), f.Max-int(s.Stay+s.Taken))
		}
	}
	for range deal.Created {
		fill(f.create(group, f.items.Class(group)), f.Max)
	}
}

// takeBack gives an idle slice to a group, with those of the endpoints it holds that the group has to place, up to the maximum:
// the first in canonical order.
func (f *filler) takeBack(group, slice int32) {
	s := &f.l.Slices[slice]
	s.Outcome, s.Group, s.Written = Kept, group, true
	var back []int32
	for _, id := range f.items.Held(slice) {
		if i := f.items.At(id, group); i != None && f.l.Places[i] == Nowhere {
			back = append(back, i)
		}
	}
	slices.Sort(back)
	back = slices.Compact(back) // a slice may hold an endpoint twice
	f.items.Sort(back)
	for _, i := range back[:min(len(back), f.Max)] {
		f.put(i, Place(slice))
	}
}

// put places an item.
func (f *filler) put(item int32, to Place) {
	f.l.Places[item] = to
	if f.l.Live(to) {
		s := &f.l.Slices[to]
		s.Taken++
		s.Written = true
	}
}

// create adds a slice of a group, or a placeholder for None, and returns its place.
func (f *filler) create(group, class int32) Place {
	f.l.Creates = append(f.l.Creates, Create{group, class})
	return f.l.Created(len(f.l.Creates) - 1)
}

// placeholder leaves a class without items with one empty slice: the one that is nearest to one, the first by name of equals.
func (f *filler) placeholder(class int32) {
	keep := int32(None)
	for i := range f.l.Slices {
		if s := &f.l.Slices[i]; s.Class == class && (keep == None || s.Unlike < f.l.Slices[keep].Unlike) {
			keep = int32(i)
		}
	}
	if keep == None {
		if !f.NoCreates {
			f.create(None, class)
		}
		return
	}
	s := &f.l.Slices[keep]
	s.Outcome, s.Group = Emptied, None
	s.Written = s.Written || s.Unlike > 0
}
