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
	req     *request
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

	// match.go: where the item is.
	current   int32                 // the current slice, or none
	published bool                  // the current slice already publishes the item on its ports
	previous  *discoveryv1.Endpoint // the endpoint in the current slice or another slice; nil if there is none

	// fill.go: where it will be.
	place int32 // the slice that will hold the item, or none if there is none yet

	// hint.go
	hints *discoveryv1.EndpointHints // the hints that the item gets, if hints are allocated
}

// placedSlice is a slice, with what the plan does with it. object is nil if the slice is to be
// created. The fields are grouped by the stage that sets them first.
type placedSlice struct {
	liveSlice
	split bool // if it holds more endpoints than the maximum, it gives up the surplus

	// match.go: the items that it holds.
	found   []foundItem // the item of each endpoint; nil if not known
	foundOn int32       // the port set for which found was computed; none if found is nil
	copies  bool        // it holds copies of items of another current slice, or an item twice
	crowded bool        // more items want its ports after the plan than may stay in one slice

	// match.go, fill.go and hint.go: what must change.
	portsAfter int32 // the port set of the items in it, or none if no item is in it
	stay       int32 // the number of items that stay in it
	changed    bool  // something in it is not as wanted, or it is new

	// fill.go: what becomes of it.
	outcome   outcome
	surplus   int32   // the number of items that leave because the changed slice has too many
	taken     int32   // the number of items that are added
	items     []int32 // if the slice is written: the items in it, in canonical order
	dissolved bool    // Compact moved its items to other slices
	compacted bool    // Compact writes or deletes it, although nothing in it must change
}

// outcome is what the plan does with a slice. The zero value is kept.
type outcome uint8

const (
	kept     outcome = iota // it holds items after the plan
	recycled                // no item stays in it; fill keeps or deletes it, so that none is left
	deleted
	placeholder // it becomes or stays the placeholder of its address type
)

// heldCopy is a copy of an item on its ports. Slices hold at least one other copy of the item.
type heldCopy struct {
	item, slice int32
	endpoint    *discoveryv1.Endpoint
}

// written reports whether a slice is created or updated.
func (s *placedSlice) written() bool { return s.changed && s.outcome != deleted }

// unchanged reports whether a slice stays as it is.
func (s *placedSlice) unchanged() bool { return !s.changed && s.outcome != deleted }

// round is one attempt of place. It says which slices above the maximum are split, even if nothing
// else in them changes.
type round int

const (
	splitNone     round = iota // a lowered maximum writes nothing by itself
	splitRehinted              // those whose hints changed in the first round
	splitAll
)

// place decides everything about items and slices. Hints come last, because they depend on the
// slice of each item. But new hints may force a write of a slice that holds more endpoints than the
// maximum. Such a slice must be split, which moves items and changes the hints again. That is why
// place has a loop. In the last round, no slice is left to be split.
func (p *placement) place(req *request, wanted *wantedItems, present *presentSlices) *placement {
	p.req = req
	p.wanted = wanted
	p.present = present
	var rehinted []int32 // slices above the maximum
	for r := splitNone; ; r++ {
		p.begin(r, rehinted)
		p.match()
		p.reassignPorts()
		p.fill()
		rewritten := p.decideHints()
		fits := func(n int32) bool { return req.limits.Fits(int(p.slices[n].stay)) }
		rehinted = slices.DeleteFunc(slices.Clone(rewritten), fits)
		if len(rehinted) == 0 {
			p.rewrite(rewritten)
			return p
		}
	}
}

// begin starts a round with the wanted items and the present slices. rehinted are the slices above
// the maximum whose hints changed in the round before.
func (p *placement) begin(r round, rehinted []int32) {
	p.items = slices.Grow(p.items[:0], len(p.wanted.items))
	p.slices = slices.Grow(p.slices[:0], len(p.present.slices))
	p.found = slices.Grow(p.found[:0], len(p.wanted.items)) // about one for each existing endpoint
	p.copies = nil
	for i := range p.wanted.items {
		p.items = append(p.items, placedItem{item: p.wanted.items[i], current: none, place: none})
	}
	for n := range p.present.slices {
		p.slices = append(p.slices, placedSlice{
			liveSlice: p.present.slices[n], foundOn: none, portsAfter: none, split: r >= splitAll,
		})
	}
	for _, n := range rehinted {
		p.slices[n].split = true
	}
}

// live returns the present slices.
func (p *placement) live() []placedSlice { return p.slices[:len(p.present.slices)] }

// created returns the slices to create.
func (p *placement) created() []placedSlice { return p.slices[len(p.present.slices):] }

// rewrite marks slices in which only hints change as changed.
func (p *placement) rewrite(rehinted []int32) {
	if len(rehinted) == 0 {
		return
	}
	for _, n := range rehinted {
		p.slices[n].changed = true
	}
	p.listItems()
}

// listItems lists the items of each written slice. All lists are parts of one array.
func (p *placement) listItems() {
	p.listed = slices.Grow(p.listed[:0], len(p.items))
	for n := range p.slices {
		if s := &p.slices[n]; s.written() {
			from := len(p.listed)
			p.listed = p.listed[:from+int(s.stay+s.taken)]
			s.items = p.listed[from:from:len(p.listed)]
		}
	}
	for i := range p.items {
		if n := p.items[i].place; n != none && p.slices[n].written() {
			p.slices[n].items = append(p.slices[n].items, int32(i))
		}
	}
	for n := range p.slices {
		p.wanted.index.sort(p.slices[n].items)
	}
}
