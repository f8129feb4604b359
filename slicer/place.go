package slicer

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
)

// placement says where every item goes, with which hints, and what becomes of every slice. It
// begins as a copy of what is wanted and present. match, reassignPorts, fill and decideHints work
// on it in turn.
type placement struct {
	in      *request
	wanted  *wantedItems
	present *presentSlices

	items     []placedItem
	slices    []placedSlice    // the present slices, by name, and then the slices to create
	copies    []heldCopy       // of items that slices hold more than once on their ports
	unplaced  [][]int32        // the items without place, by port set; nil: none
	decisions []hints.Decision // one for each address type

	found  []foundItem // memory of placedSlice.found
	listed []int32     // memory of placedSlice.items
}

// placedItem is an item and where it goes.
type placedItem struct {
	item
	current   int32                 // the slice in which it stays, unless that has too many; none: no slice
	published bool                  // the current slice already publishes the item on its ports
	previous  *discoveryv1.Endpoint // what the current slice holds for it, or else any slice of its type; nil: none

	place int32                      // the slice that will hold it; none: no slice, or not decided yet
	hints *discoveryv1.EndpointHints // if hints are allocated: the hints that it gets
}

// placedSlice is a slice and what becomes of it. object is nil if it is to be created.
type placedSlice struct {
	liveSlice
	split   bool        // if it has more than the maximum, it is written and comes down to it
	found   []foundItem // which item each of its endpoints is; nil: not known
	foundOn int32       // on this port set; none: not known
	copies  bool        // it holds items, on their ports, whose current slice is another, or one twice
	crowded bool        // more items than may stay in one slice want the ports that it takes

	newPorts int32 // the port set of the items in it: of those that stay, and then of all; none: there are none
	stay     int32 // the number of items that stay in it
	written  bool  // it is updated, unless it is deleted
	outcome  outcome
	surplus  int32   // the number of items that leave, because the slice is written and has too many
	taken    int32   // the number of items that come
	items    []int32 // the items in it, in canonical order, if it is written

	dissolved bool // the items that stayed in it are placed in other slices (Compact)
	compacted bool // nothing in it must change, and it is written or deleted so that fewer slices are left (Compact)
}

// outcome is what becomes of a slice. The zero value is kept.
type outcome uint8

const (
	kept     outcome = iota // it holds items afterwards, written or not
	reusable                // no item stays in it: another port set takes it, or it is deleted. After fill none is.
	deleted
	placeholder // it becomes or stays the placeholder of its address type
)

// heldCopy is a copy of an item on its ports. Slices hold at least one other copy of the item.
type heldCopy struct {
	item, slice int32
	endpoint    *discoveryv1.Endpoint
}

// updated reports whether a slice is created or updated.
func (s *placedSlice) updated() bool { return s.written && s.outcome != deleted }

// changes reports whether a slice is created, updated or deleted.
func (s *placedSlice) changes() bool { return s.written || s.outcome == deleted }

// place decides everything about items and slices. Hints come last, because they depend on which
// slice each item is in. That is why it is a loop: new hints may force a write of a slice that
// holds more endpoints than the maximum. Such a slice must be split, which moves items and changes
// the hints again.
//
// A lowered maximum writes nothing by itself, so the first round splits no slice that need not be
// written. The second round splits those for which the first round found new hints. If the second
// round finds another one, the third round splits all slices above the maximum. Then none is left
// to be split for its hints, so there are at most three rounds.
func (p *placement) place(in *request, wanted *wantedItems, present *presentSlices) *placement {
	p.in = in
	p.wanted = wanted
	p.present = present
	for split := []bool(nil); ; {
		p.begin(split)
		p.match()
		p.reassignPorts()
		p.fill()
		rewritten := p.decideHints()
		fits := func(n int32) bool { return in.limits.Fits(int(p.slices[n].stay)) }
		full := slices.DeleteFunc(slices.Clone(rewritten), fits)
		if len(full) == 0 {
			p.rewrite(rewritten)
			return p
		}
		splitAll := split != nil // this was the second round
		split = slices.Repeat([]bool{splitAll}, len(present.slices))
		for _, n := range full {
			split[n] = true
		}
	}
}

// begin copies what is wanted and present. split has the slices above the maximum that must come
// down to it; nil: none.
func (p *placement) begin(split []bool) {
	p.items = slices.Grow(p.items[:0], len(p.wanted.items))
	p.slices = slices.Grow(p.slices[:0], len(p.present.slices))
	p.found = slices.Grow(p.found[:0], len(p.wanted.items)) // about one for each existing endpoint
	p.copies = nil
	for i := range p.wanted.items {
		p.items = append(p.items, placedItem{item: p.wanted.items[i], current: none, place: none})
	}
	for n := range p.present.slices {
		p.slices = append(p.slices, placedSlice{
			liveSlice: p.present.slices[n], foundOn: none, newPorts: none, split: split != nil && split[n],
		})
	}
}

// live are the slices that are present.
func (p *placement) live() []placedSlice { return p.slices[:len(p.present.slices)] }

// created are the slices that are to be created.
func (p *placement) created() []placedSlice { return p.slices[len(p.present.slices):] }

// rewrite marks slices in which only hints change as written.
func (p *placement) rewrite(clean []int32) {
	if len(clean) == 0 {
		return
	}
	for _, n := range clean {
		p.slices[n].written = true
	}
	p.listItems()
}

// listItems lists the items of the slices that are written. All lists are parts of one.
func (p *placement) listItems() {
	p.listed = slices.Grow(p.listed[:0], len(p.items))
	for n := range p.slices {
		if s := &p.slices[n]; s.updated() {
			from := len(p.listed)
			p.listed = p.listed[:from+int(s.stay+s.taken)]
			s.items = p.listed[from:from:len(p.listed)]
		}
	}
	for i := range p.items {
		if n := p.items[i].place; n != none && p.slices[n].updated() {
			p.slices[n].items = append(p.slices[n].items, int32(i))
		}
	}
	for n := range p.slices {
		p.wanted.index.sort(p.slices[n].items)
	}
}
