package layout

import (
	"slices"

	"github.com/slicewright/slicewright/slicer/internal/packing"
)

// None is no slice, no group, no item and no class.
const None = packing.None

// Place is where an item will be: in a slice, whose number it is, or Nowhere. Slices to be created are numbered after the live ones.
type Place int32

// Nowhere is the place of an item that has none, or none yet.
const Nowhere Place = None

// Layout says where every item will be and what becomes of every slice. The zero value is empty; it is used again after Begin.
type Layout struct {
	Places  []Place // of each item; before Fill where it is at home
	Slices  []Slice // the live slices, by name
	Creates []Create

	contents [][]int32 // of each slice, live or to be created
}

// Slice is a live slice: what it is, and what is to become of it.
type Slice struct {
	// Class is what a slice keeps as long as it lives: its address type. None: no slice of it is wanted.
	Class int32
	// Ports is the group whose ports the slice has. None: nobody wants these.
	Ports int32
	// Unlike says how far the slice is from an empty one that needs no write; 0 is one, and is not written. A slice in which
	// something besides endpoints and ports must change is written in any case.
	Unlike int32

	// Group is the group of the items in the slice: at first of those at home here, and after Fill of all. None: it has none.
	Group int32
	// Stay counts the items at home here that stay.
	Stay int32
	// Written says that the slice is updated, unless it is deleted: at first because something in it must change.
	Written bool

	Outcome   Outcome
	Surplus   int32 // items at home here that leave, because the slice is written and has too many
	Taken     int32 // items that come
	Dissolved bool  // the items at home here are placed elsewhere (Compact)
	Compacted bool  // it is clean, and takes items or dissolves so that fewer slices are left (Compact)
}

// Outcome is what becomes of a slice. The zero value is Kept.
type Outcome uint8

const (
	// Kept holds items afterwards: not written, or updated.
	Kept Outcome = iota
	// Idle has no item at home: it is re-used or deleted. After Fill none is.
	Idle
	// Deleted goes.
	Deleted
	// Emptied becomes or stays the placeholder of its class.
	Emptied
)

// Create is a slice to be made.
type Create struct {
	Group int32 // None: a placeholder
	Class int32
}

// Updated reports whether a slice is updated.
func (s *Slice) Updated() bool { return s.Written && s.Outcome != Deleted }

// Changes reports whether a slice is updated or deleted.
func (s *Slice) Changes() bool { return s.Written || s.Outcome == Deleted }

// Begin makes a layout empty, with room for so many items and live slices. The caller appends them.
func (l *Layout) Begin(items, live int) {
	l.Places, l.Slices, l.Creates = slices.Grow(l.Places[:0], items), slices.Grow(l.Slices[:0], live), l.Creates[:0]
}

// Open writes slices that Fill left clean, although no item comes or leaves: their hints change.
func (l *Layout) Open(clean []int32, items Items) {
	if len(clean) == 0 {
		return
	}
	for _, i := range clean {
		l.Slices[i].Written = true
	}
	l.list(items)
}

// Created is the place in a slice to be created, by its number in Creates.
func (l *Layout) Created(create int) Place { return Place(len(l.Slices) + create) }

// Live reports whether a place is in a live slice.
func (l *Layout) Live(at Place) bool { return at != Nowhere && int(at) < len(l.Slices) }

// Contents are the items of a slice that is written, in canonical order; none for one that has none.
func (l *Layout) Contents(at Place) []int32 { return l.contents[at] }

// Writes reports whether a place is in a slice that is written.
func (l *Layout) Writes(at Place) bool {
	return at != Nowhere && (!l.Live(at) || l.Slices[at].Updated())
}

// Unplaced lists the items without place by their group; nil when there are none.
func (l *Layout) Unplaced(items interface {
	Groups() int
	Group(item int32) int32
}) (byGroup [][]int32) {
	for i, at := range l.Places {
		if at == Nowhere {
			if byGroup == nil {
				byGroup = make([][]int32, items.Groups())
			}
			g := items.Group(int32(i))
			byGroup[g] = append(byGroup[g], int32(i))
		}
	}
	return byGroup
}

// list fills contents.
func (l *Layout) list(items Items) {
	all := len(l.Slices) + len(l.Creates)
	l.contents = slices.Grow(l.contents[:0], all)[:all]
	for i := range l.contents {
		l.contents[i] = l.contents[i][:0]
	}
	for i, at := range l.Places {
		if l.Writes(at) {
			list := &l.contents[at]
			if cap(*list) == 0 {
				*list = make([]int32, 0, len(l.Places)/all+1)
			}
			*list = append(*list, int32(i))
		}
	}
	for _, list := range l.contents {
		items.Sort(list)
	}
}
