package slicer

import (
	"slices"
)

// place is where an item will be: in a live slice, whose index it is, in a slice to be created, or nowhere yet.
type place int32

const (
	nowhere      place = none
	firstCreated place = 1 << 30 // and after it one for each slice to be created
)

// created is the place in a slice to be created, by its index in layout.creates.
func created(create int) place { return firstCreated + place(create) }

// created reports whether a place is in a slice to be created.
func (p place) created() bool { return p >= firstCreated }

// layout says where every item will be and what becomes of every slice. stayHome leaves every item at home, dropSurplus takes
// the surplus out, assign completes it, and compute adds the slices that are written for their hints alone. They change it in
// place, and nobody else does.
type layout struct {
	places  []place // of each item
	slices  []planned
	creates []create
}

// create is a slice to be made.
type create struct {
	group int32 // or none for a placeholder
	typ   int32
}

// planned is what is to become of one live slice.
type planned struct {
	outcome   outcome
	group     int32 // the port set that it will have; none: it is or will be empty
	stay      int32 // items at home here that stay
	surplus   int32 // items at home here that leave, because the slice is written and holds too many
	taken     int32 // items that come
	written   bool  // it is updated, unless it is deleted
	dissolved bool  // what was at home here is placed elsewhere (Compact)
	compacted bool  // it is clean, and takes items or dissolves so that fewer slices are left (Compact)
}

// outcome is what becomes of a slice.
type outcome uint8

const (
	kept    outcome = iota // holds items afterwards: not written, or updated
	idle                   // nothing is at home here: re-used or deleted
	deleted                // goes
	emptied                // becomes or stays the placeholder of its address type
)

// stayHome leaves every item at home, whatever its slice has too many.
func (l *layout) stayHome(x *present, h *homes) {
	l.places, l.slices, l.creates = slices.Grow(l.places[:0], len(h.items)), slices.Grow(l.slices[:0], len(h.slices)), nil
	for i := range h.items {
		l.places = append(l.places, place(h.items[i].slice))
	}
	for i := range h.slices {
		from := &h.slices[i]
		o := planned{group: from.group, stay: from.count, written: from.dirty}
		switch {
		case x.slices[i].typ == none:
			o.outcome = deleted
		case from.group == none:
			o.outcome = idle
		}
		l.slices = append(l.slices, o)
	}
}

// put places an item that has no place.
func (l *layout) put(item int32, to place) {
	l.places[item] = to
	if !to.created() {
		o := &l.slices[to]
		o.taken++
		o.written = true
	}
}

// leave takes an item out of its home.
func (l *layout) leave(item int32) {
	o := &l.slices[l.places[item]]
	o.stay--
	o.surplus++
	l.places[item] = nowhere
}

// dissolve makes a slice idle. Its items are still to be placed.
func (l *layout) dissolve(slice int32) {
	o := &l.slices[slice]
	o.outcome, o.group, o.stay, o.surplus, o.dissolved = idle, none, 0, 0, true
}

// reuse gives an idle slice to a group.
func (l *layout) reuse(slice, group int32) {
	o := &l.slices[slice]
	o.outcome, o.group, o.written = kept, group, true
}

// create adds a slice of a group, or a placeholder for none, and returns its place.
func (l *layout) create(group, typ int32) place {
	l.creates = append(l.creates, create{group: group, typ: typ})
	return created(len(l.creates) - 1)
}

// empty makes a slice the placeholder. It is written where it is not an empty slice already.
func (l *layout) empty(slice int32, x *liveSlice) {
	o := &l.slices[slice]
	o.outcome, o.group = emptied, none
	o.written = o.written || len(x.object.Endpoints) > 0 || len(x.object.Ports) > 0
}

// updated reports whether a slice is updated.
func (o *planned) updated() bool { return o.written && o.outcome != deleted }

// changes reports whether a slice is updated or deleted.
func (o *planned) changes() bool { return o.written || o.outcome == deleted }

// contents are the items of the slices that are written, each slice's in canonical order. They are those of a layout, and
// are listed anew when it has changed.
type contents struct {
	live  int       // how many live slices there are: creates follow them
	items [][]int32 // of each place
}

func (c *contents) list(w *wanted, l *layout) {
	c.live = len(l.slices)
	all := len(l.slices) + len(l.creates)
	c.items = slices.Grow(c.items[:0], all)[:all]
	for i := range c.items {
		c.items[i] = c.items[i][:0]
	}
	for i, at := range l.places {
		if l.lists(at) {
			items := &c.items[c.position(at)]
			if cap(*items) == 0 {
				*items = make([]int32, 0, len(l.places)/all+1)
			}
			*items = append(*items, int32(i))
		}
	}
	for _, items := range c.items {
		w.ids.Sort(items)
	}
}

// lists reports whether a place is in a slice that is written.
func (l *layout) lists(at place) bool {
	return at.created() || at != nowhere && l.slices[at].updated()
}

func (c *contents) position(at place) int {
	if at.created() {
		return c.live + int(at-firstCreated)
	}
	return int(at)
}

// of returns the items of a slice that is written, in canonical order; none for one that holds none.
func (c *contents) of(at place) []int32 { return c.items[c.position(at)] }
