package slicer

import (
	"slices"

	"github.com/slicewright/slicewright/slicer/internal/packing"
)

// fill finds a place for the items that have none, and decides for every slice whether it is kept
// or deleted, or becomes a placeholder. An item is a wanted endpoint in one group. A port set is
// the address type and the ports of a group. Package packing decides how many items each slice
// takes. fill decides which ones, in this order:
//
//  1. If an updated slice holds more items than the maximum, it gives up the surplus: the last items
//     in canonical order.
//  2. With Compact, the updated slices that packing.Join chooses dissolve. Their items lose their
//     place.
//  3. If a port set takes a recycled slice, the items that have no place, belong to the port set
//     and are held by that slice are put into it.
//  4. All other items without a place, in canonical order, go into the updated, the recycled, the new
//     and the unchanged slices that packing chooses.
//  5. An address type that has no items keeps one slice as the placeholder: the slice that is most
//     like an empty slice.
//  6. Recycled slices that no port set takes are deleted.
//
// In the pictures, letters are items in canonical order, * marks a slice that is written, - is a
// free place, and the maximum is 4. A slice in braces is recycled: it holds the endpoints in the
// braces, but they are wanted on other ports or not at all.
//
//	*[a c d e f]              nothing else   ->  *[a c d e] +[f - - -]              f is the last
//	*[a - - -] *[b c d -]     place e f      ->  *[a f - -] *[b c d e]              the fullest updated slice first
//	*[a b c -] {e x}          place d e f    ->  *[a b c d] *[e f - -]              the recycled slice takes e back
//	 [a b c -]  [d - - -]     place e f      ->   [a b c -] *[d e f -]              the fullest that takes both
//	*[a b - -] *[c - - -]     in Compact     ->  *[a b c -] deleted                 c moves
//	{x y} {}                  no items       ->   deleted   [- - - -]               the empty slice is the placeholder
func (p *placement) fill() {
	for n := range p.slices {
		if s := &p.slices[n]; s.typ == none {
			s.outcome = deleted
		} else if s.portsAfter == none {
			s.outcome = recycled
		}
	}
	p.dropSurplus()
	p.listUnplaced()
	for t, keeps := range p.present.placeholders {
		if keeps {
			p.keepPlaceholder(int32(t))
		} else {
			p.fillType(int32(t))
		}
	}
	for n := range p.slices {
		if s := &p.slices[n]; s.outcome == recycled {
			s.outcome = deleted
		}
	}
	p.listItems()
}

// dropSurplus takes the items above the maximum out of updated slices: the last items in canonical
// order.
func (p *placement) dropSurplus() {
	var full map[int32][]int32 // the items of the slices that are too full
	for n := range p.slices {
		if s := &p.slices[n]; s.changed && !p.req.limits.Fits(int(s.stay)) {
			if full == nil {
				full = map[int32][]int32{}
			}
			full[int32(n)] = make([]int32, 0, s.stay)
		}
	}
	if full == nil {
		return
	}
	for i := range p.items {
		n := p.items[i].place
		if list, ok := full[n]; ok {
			full[n] = append(list, int32(i))
		}
	}
	for n, list := range full {
		p.wanted.index.sort(list)
		keep := p.req.limits.Keep(len(list))
		for _, i := range list[keep:] {
			p.items[i].place = none
		}
		s := &p.slices[n]
		s.stay, s.surplus = int32(keep), int32(len(list)-keep)
	}
}

// listUnplaced lists the items without a place.
func (p *placement) listUnplaced() {
	p.unplaced = nil
	for i := range p.items {
		if it := &p.items[i]; it.place == none {
			if p.unplaced == nil {
				p.unplaced = make([][]int32, len(p.wanted.portSets))
			}
			p.unplaced[it.portSet] = append(p.unplaced[it.portSet], int32(i))
		}
	}
}

// fillType finds places for the items of an address type that have none.
func (p *placement) fillType(typ int32) {
	compact := p.req.Options.Compact
	if p.unplaced == nil && !compact {
		return
	}
	problem := p.problemOf(typ)
	if compact {
		p.dissolve(&problem)
	}
	if !slices.ContainsFunc(problem.Unassigned, func(items int) bool { return items > 0 }) {
		return
	}
	for portSet, deal := range packing.Place(problem.Problem) {
		if problem.Unassigned[portSet] > 0 {
			p.placeItems(problem.numbers, int32(portSet), deal)
		}
	}
}

// typeProblem is the problem that package packing solves for one address type. A Group of the
// problem is a port set. The problem has all port sets, but those of other address types have no
// unassigned items.
type typeProblem struct {
	packing.Problem
	numbers []int32 // by slice of the problem: the number of this slice in placement.slices
}

func (p *placement) problemOf(typ int32) typeProblem {
	c := typeProblem{Problem: packing.Problem{Limits: p.req.limits, Unassigned: make([]int, len(p.wanted.portSets))}}
	for portSet, list := range p.unplaced {
		if p.wanted.portSets[portSet].typ == typ {
			c.Unassigned[portSet] = len(list)
		}
	}
	for n := range p.slices {
		s := &p.slices[n]
		if s.typ != typ {
			continue
		}
		shown := packing.Slice{
			Group: int(s.portsAfter), Ports: int(s.portsBefore), Stay: int(s.stay), Updated: s.changed,
		}
		if s.outcome != kept {
			shown = packing.Slice{Group: packing.None, Ports: int(s.portsBefore)}
		}
		c.Slices = append(c.Slices, shown)
		c.numbers = append(c.numbers, int32(n))
	}
	return c
}

// dissolve dissolves the slices that packing.Join chooses. Their items lose their place.
func (p *placement) dissolve(c *typeProblem) {
	joined := packing.Join(c.Problem)
	c.Problem = joined.Problem
	for _, k := range joined.Compacted {
		p.slices[c.numbers[k]].compacted = true
	}
	for _, k := range joined.Dissolved {
		s := &p.slices[c.numbers[k]]
		s.dissolved = true
		s.outcome = recycled
		s.portsAfter = none
		s.stay = 0
		s.surplus = 0
	}
	if len(joined.Dissolved) == 0 {
		return
	}
	for i := range p.items {
		if it := &p.items[i]; it.place != none && p.slices[it.place].outcome == recycled {
			it.place = none
		}
	}
	p.listUnplaced()
}

// placeItems puts the unplaced items of a port set into the slices of deal, in canonical order. If
// no slice can be created, some items may stay without a place. Each recycled slice first takes back
// the items that it holds, so that these endpoints change their ports in one write.
func (p *placement) placeItems(numbers []int32, portSet int32, deal packing.Deal) {
	list := p.unplaced[portSet]
	p.wanted.index.sort(list)
	for _, k := range deal.Recycled {
		p.takeBack(portSet, numbers[k])
	}
	list = slices.DeleteFunc(list, func(i int32) bool { return p.items[i].place != none })
	fillSlice := func(n int32) {
		room := p.req.limits.Max - int(p.slices[n].stay+p.slices[n].taken)
		count := min(max(room, 0), len(list))
		for _, i := range list[:count] {
			p.put(i, n)
		}
		list = list[count:]
	}
	for _, k := range slices.Concat(deal.Updated, deal.Recycled) {
		fillSlice(numbers[k])
	}
	for range deal.Created {
		fillSlice(p.create(portSet, p.wanted.portSets[portSet].typ))
	}
	for _, k := range deal.Unchanged {
		fillSlice(numbers[k])
	}
	p.unplaced[portSet] = list
}

// takeBack gives a recycled slice to a port set, and puts the unplaced items of the port set that
// the slice holds into it. If these are more than the maximum, it takes the first in canonical
// order.
func (p *placement) takeBack(portSet, n int32) {
	s := &p.slices[n]
	s.outcome = kept
	s.portsAfter = portSet
	s.changed = true
	var back []int32
	for _, id := range p.wanted.index.heldBy(nil, &s.liveSlice) {
		if i := p.wanted.index.itemOf(id, portSet); i != none && p.items[i].place == none {
			back = append(back, i)
		}
	}
	slices.Sort(back)
	back = slices.Compact(back) // a slice may hold an endpoint twice
	p.wanted.index.sort(back)
	for _, i := range back[:min(len(back), p.req.limits.Max)] {
		p.put(i, n)
	}
}

// put places an item.
func (p *placement) put(i, n int32) {
	p.items[i].place = n
	s := &p.slices[n]
	s.taken++
	s.changed = true
}

// create adds a slice for a port set and returns its number. If portSet is none, it adds a
// placeholder. p.slices may grow into new memory, so that pointers to its elements are no longer
// valid.
func (p *placement) create(portSet, typ int32) int32 {
	s := placedSlice{
		liveSlice: liveSlice{typ: typ, portsBefore: none}, foundOn: none, portsAfter: portSet, changed: true,
	}
	if portSet == none {
		s.outcome = placeholder
	}
	p.slices = append(p.slices, s)
	return int32(len(p.slices) - 1)
}

// keepPlaceholder keeps one empty slice for an address type without items: the slice that is most
// like a placeholder becomes the placeholder. Ties go to the first slice by name.
func (p *placement) keepPlaceholder(typ int32) {
	best := int32(none)
	for n := range p.slices {
		s := &p.slices[n]
		if s.typ == typ && (best == none || s.unlikePlaceholder() < p.slices[best].unlikePlaceholder()) {
			best = int32(n)
		}
	}
	if best == none {
		if !p.req.limits.NoCreates {
			p.create(none, typ)
		}
		return
	}
	s := &p.slices[best]
	s.outcome, s.portsAfter = placeholder, none
	s.changed = s.changed || s.unlikePlaceholder() > 0
}
