package slicer

import (
	"slices"
)

// sortItems brings items into canonical order. Where all have an IPv4 address, which is nearly always, it sorts numbers:
// the address, which comes first in that order, and the item.
func (p *planner) sortItems(items []int32) {
	p.keys = p.keys[:0]
	for _, i := range items {
		if p.items[i].ip == 0 {
			slices.SortFunc(items, p.compareItems)
			return
		}
		p.keys = append(p.keys, uint64(p.items[i].ip)<<32|uint64(i))
	}
	slices.Sort(p.keys)
	for n, key := range p.keys {
		items[n] = int32(uint32(key))
	}
	for start := 0; start < len(items); {
		end := start + 1
		for end < len(items) && p.keys[start]>>32 == p.keys[end]>>32 {
			end++
		}
		if end > start+1 {
			slices.SortFunc(items[start:end], p.compareItems)
		}
		start = end
	}
}

func (p *planner) compareItems(a, b int32) int {
	return compareEndpoints(p.endpoint(&p.items[a]), p.endpoint(&p.items[b]))
}
