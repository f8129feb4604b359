package slicer

import (
	"slices"
)

// contents are the items of the places that are written or created, place by place: existing slices in the order of
// p.slices, then creates. Each place has them in canonical order.
type contents struct {
	valid bool
	ends  []int32 // of the places, in items
	items []int32
}

// contents lists the items of a place that is written or created, in canonical order; none for one that holds none.
func (p *planner) contents(place int32) []int32 {
	if !p.listed.valid {
		p.list()
	}
	i, start := p.position(place), int32(0)
	if i > 0 {
		start = p.listed.ends[i-1]
	}
	return p.listed.items[start:p.listed.ends[i]]
}

func (p *planner) position(place int32) int {
	if place >= createBase {
		return len(p.slices) + int(place-createBase)
	}
	return int(place)
}

// list sorts the items of all such places: it counts them, and puts each at the start of what is left of its place's
// share.
func (p *planner) list() {
	l := &p.listed
	places := len(p.slices) + len(p.creates)
	l.valid, l.ends = true, slices.Grow(l.ends[:0], places)[:places]
	clear(l.ends)
	total := int32(0)
	for i := range p.items {
		if place := p.items[i].slice; p.lists(place) {
			l.ends[p.position(place)]++
			total++
		}
	}
	start := int32(0)
	for i, count := range l.ends {
		l.ends[i] = start
		start += count
	}
	l.items = slices.Grow(l.items[:0], int(total))[:total]
	for i := range p.items {
		if place := p.items[i].slice; p.lists(place) {
			at := &l.ends[p.position(place)]
			l.items[*at] = int32(i)
			*at++
		}
	}
	start = 0
	for _, end := range l.ends {
		p.sortItems(l.items[start:end])
		start = end
	}
}

func (p *planner) lists(place int32) bool {
	return place != none && (place >= createBase || p.slices[place].written())
}
