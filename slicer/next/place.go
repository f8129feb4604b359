package slicer

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
)

// placement says into which slice every item goes, with which hints, and which slices are written
// and deleted. It starts with the wanted items and the present slices. Then match, reassignPorts,
// fill and decideHints change it, in this order.
type placement struct {
	in      *request
	wanted  *wantedItems
	present *presentSlices

	items     []placedItem
	slices    []placedSlice    // the present slices, by name, and then the slices to create
	copies    []heldCopy       // the copies of items that slices hold more than once on their ports
	unplaced  [][]int32        // the items without a place, by port set; nil if every item has one
	decisions []hints.Decision // one for each address type

	found  []foundItem // memory of placedSlice.found
	listed []int32     // memory of placedSlice.items
}

// placedItem is an item with its place.
type placedItem struct {
	item
	current   int32                 // the current slice, or none
	published bool                  // the current slice already publishes the item on its ports
	previous  *discoveryv1.Endpoint // the endpoint in the current slice or another slice; nil if there is none

	place int32                      // the slice that will hold the item, or none if there is none yet
	hints *discoveryv1.EndpointHints // the hints that the item gets, if hints are allocated
}

// placedSlice is a slice, with what the plan does with it. object is nil if the slice is to be
// created.
type placedSlice struct {
	liveSlice
	split   bool        // if it holds more endpoints than the maximum, it gives up the surplus
	found   []foundItem // the item of each endpoint; nil if not known
	foundOn int32       // the port set for which found was computed; none if found is nil
	copies  bool        // it holds copies of items of another current slice, or an item twice
	crowded bool        // more items want its new ports than may stay in one slice

	newPorts int32 // the port set of the items in it, or none if no item is in it
	stay     int32 // the number of items that stay in it
	written  bool  // the slice is created or updated, unless its outcome is deleted
	outcome  outcome
	surplus  int32   // the number of items that leave because the written slice has too many
	taken    int32   // the number of items that are added
	items    []int32 // if the slice is written: the items in it, in canonical order

	dissolved bool // Compact moved its items to other slices
	compacted bool // Compact writes or deletes it, although nothing in it must change
}

// outcome is what the plan does with a slice. The zero value is kept.
type outcome uint8

const (
	kept     outcome = iota // it holds items after the plan
	reusable                // no item stays in it; fill keeps or deletes it, so that none is left
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

// place decides everything about items and slices. Hints come last, because they depend on the
// slice of each item. But new hints may force a write of a slice that holds more endpoints than the
// maximum. Such a slice must be split, which moves items and changes the hints again. That is why
// place has a loop.
//
// A lowered maximum writes nothing by itself, so the first round splits no slice that need not be
// written. The second round also splits the slices above the maximum whose hints changed in the
// first round. If the hints of another such slice change in the second round, the third round
// splits all slices above the maximum. No slice is then left to be split, so there are at most
// three rounds.
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

// begin starts a round with the wanted items and the present slices. split says which of the slices
// above the maximum must be split. If it is nil, none must be.
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

// live returns the present slices.
func (p *placement) live() []placedSlice { return p.slices[:len(p.present.slices)] }

// created returns the slices to create.
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

// listItems lists the items of each written slice. All lists are parts of one array.
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
