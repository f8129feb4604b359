package slicer

import (
	"slices"
)

// layout says where every item will be and what becomes of every slice. It starts with every item at home, except the
// surplus of slices that are written; place completes it.
type layout struct {
	// places has for each item an index into slices, or createBase plus an index into creates, or none.
	places  []int32
	slices  []outcome
	creates []create
}

// createBase is the first place that stands for a slice to be created.
const createBase = 1 << 30

// create is a slice to be made.
type create struct {
	group int32 // or none for a placeholder
	typ   int32
}

// outcome is what becomes of one live slice.
type outcome struct {
	fate      fate
	group     int32 // the port set that it will have; none: it is or will be empty
	stay      int32 // items at home here that stay
	surplus   int32 // items at home here that leave, because the slice is written and holds too many
	taken     int32 // items that come
	written   bool  // it is updated, unless it is deleted
	dissolved bool  // what was at home here is placed elsewhere (Compact)
	compacted bool  // it is clean, and takes items or dissolves so that fewer slices are left (Compact)
}

// fate is what becomes of a slice.
type fate uint8

const (
	kept    fate = iota // holds items afterwards: not written, or updated
	idle                // nothing is at home here: re-used or deleted
	deleted             // goes
	emptied             // becomes or stays the placeholder of its address type
)

// layoutMemory is the memory of layout.
type layoutMemory struct {
	places []int32
	slices []outcome
}

// stayHome returns the layout in which every item is at home, whatever its slice has too many.
func (m *layoutMemory) stayHome(x *present, h homes) layout {
	m.places = slices.Grow(m.places[:0], len(h.items))[:len(h.items)]
	for i := range h.items {
		m.places[i] = h.items[i].slice
	}
	m.slices = slices.Grow(m.slices[:0], len(h.slices))[:len(h.slices)]
	for i := range h.slices {
		from := &h.slices[i]
		o := outcome{group: from.group, stay: from.count, written: from.dirty}
		switch {
		case x.slices[i].typ == none:
			o.fate = deleted
		case from.group == none:
			o.fate = idle
		}
		m.slices[i] = o
	}
	return layout{places: m.places, slices: m.slices}
}

// put places an item that has no place.
func (l *layout) put(item, place int32) {
	l.places[item] = place
	if place < createBase {
		o := &l.slices[place]
		o.taken++
		o.written = true
	}
}

// leave takes an item out of its home.
func (l *layout) leave(item int32) {
	o := &l.slices[l.places[item]]
	o.stay--
	o.surplus++
	l.places[item] = none
}

// dissolve makes a slice idle. Its items are still to be placed.
func (l *layout) dissolve(slice int32) {
	o := &l.slices[slice]
	o.fate, o.group, o.stay, o.surplus, o.dissolved = idle, none, 0, 0, true
}

// vacate takes an item out of a dissolved slice.
func (l *layout) vacate(item int32) { l.places[item] = none }

// compact opens a clean slice. Join opens none that neither takes items nor dissolves: that would be a write too many.
func (l *layout) compact(slice int32) { l.slices[slice].compacted = true }

// reuse gives an idle slice to a group.
func (l *layout) reuse(slice, group int32) {
	o := &l.slices[slice]
	o.fate, o.group, o.written = kept, group, true
}

// create adds a slice of a group, or a placeholder for none, and returns its place.
func (l *layout) create(group, typ int32) int32 {
	l.creates = append(l.creates, create{group: group, typ: typ})
	return createBase + int32(len(l.creates)-1)
}

// remove deletes a slice.
func (l *layout) remove(slice int32) { l.slices[slice].fate = deleted }

// empty makes a slice the placeholder. It is written where it is not an empty slice already.
func (l *layout) empty(slice int32, x *liveSlice) {
	o := &l.slices[slice]
	o.fate, o.group = emptied, none
	o.written = o.written || len(x.object.Endpoints) > 0 || len(x.object.Ports) > 0
}

// write updates slices in which nothing changes but hints.
func (l *layout) write(opened []int32) {
	for _, i := range opened {
		l.slices[i].written = true
	}
}

// updated reports whether a slice is updated.
func (o *outcome) updated() bool { return o.written && o.fate != deleted }

// changes reports whether a slice is updated or deleted.
func (o *outcome) changes() bool { return o.written || o.fate == deleted }
