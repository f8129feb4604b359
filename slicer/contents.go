package slicer

import (
	"slices"
)

// contents are the items of the slices that are written, each slice's in canonical order.
type contents struct {
	live  int     // how many live slices there are: creates follow them
	ends  []int32 // of the places, in items
	items []int32
}

// contentsMemory is the memory of contents.
type contentsMemory struct{ ends, items []int32 }

// list sorts the items of all slices that are written: it counts them, and puts each at the start of what is left of its
// slice's share.
func (m *contentsMemory) list(w *wanted, l layout) contents {
	c := contents{live: len(l.slices)}
	places := len(l.slices) + len(l.creates)
	c.ends = slices.Grow(m.ends[:0], places)[:places]
	clear(c.ends)
	total := int32(0)
	for _, place := range l.places {
		if l.lists(place) {
			c.ends[c.position(place)]++
			total++
		}
	}
	start := int32(0)
	for i, count := range c.ends {
		c.ends[i] = start
		start += count
	}
	c.items = slices.Grow(m.items[:0], int(total))[:total]
	for i, place := range l.places {
		if l.lists(place) {
			at := &c.ends[c.position(place)]
			c.items[*at] = int32(i)
			*at++
		}
	}
	start = 0
	for _, end := range c.ends {
		w.ids.Sort(c.items[start:end])
		start = end
	}
	m.ends, m.items = c.ends, c.items
	return c
}

// lists reports whether a place is a slice that is written.
func (l *layout) lists(place int32) bool {
	return place != none && (place >= createBase || l.slices[place].updated())
}

func (c *contents) position(place int32) int {
	if place >= createBase {
		return c.live + int(place-createBase)
	}
	return int(place)
}

// of returns the items of a slice that is written, in canonical order; none for one that holds none.
func (c *contents) of(place int32) []int32 {
	i, start := c.position(place), int32(0)
	if i > 0 {
		start = c.ends[i-1]
	}
	return c.items[start:c.ends[i]]
}
