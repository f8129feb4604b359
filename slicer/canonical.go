package slicer

import (
	"slices"
)

// sortItems brings items into canonical order. Where all have an IPv4 address, which is nearly always, it sorts numbers:
// the address, which comes first in that order, and the item.
func (p *planner) sortItems(items []int32) {
	p.keys = slices.Grow(p.keys[:0], len(items))
	for _, i := range items {
		if p.items[i].ip == 0 {
			slices.SortFunc(items, p.compareItems)
			return
		}
		p.keys = append(p.keys, uint64(p.items[i].ip)<<32|uint64(i))
	}
	p.sortKeys()
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

// sortKeys sorts the keys by their upper halves: byte by byte, from the last in which keys differ to the first. Comparing
// the addresses of ten thousand new endpoints would take longer than all the rest that is done with them.
func (p *planner) sortKeys() {
	const few = 24
	differ, sorted := uint64(0), true
	for n, key := range p.keys {
		differ |= key ^ p.keys[0]
		sorted = sorted && (n == 0 || key >= p.keys[n-1])
	}
	if sorted {
		return
	}
	if len(p.keys) <= few {
		slices.Sort(p.keys)
		return
	}
	from, to := p.keys, slices.Grow(p.keysAside[:0], len(p.keys))[:len(p.keys)]
	for shift := 32; shift < 64; shift += 8 {
		if differ>>shift&0xff == 0 {
			continue
		}
		var starts [257]int32
		for _, key := range from {
			starts[key>>shift&0xff+1]++
		}
		for b := range 256 {
			starts[b+1] += starts[b]
		}
		for _, key := range from {
			start := &starts[key>>shift&0xff]
			to[*start] = key
			*start++
		}
		from, to = to, from
	}
	p.keys, p.keysAside = from, to
}

func (p *planner) compareItems(a, b int32) int {
	return compareEndpoints(p.items[a].endpoint, p.items[b].endpoint)
}
