package items

import (
	"slices"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Sorter has the memory for sorting items.
type Sorter struct{ keys, aside []uint64 }

// Sort brings items into canonical order. Where all have an IPv4 address, which is nearly always, it sorts numbers:
// the address, which comes first in that order, and the item.
func (s *Sorter) Sort(all []Item, items []int32) {
	compare := func(a, b int32) int { return endpoint.Compare(all[a].Endpoint, all[b].Endpoint) }
	s.keys = slices.Grow(s.keys[:0], len(items))
	for _, i := range items {
		if all[i].IP == 0 {
			slices.SortFunc(items, compare)
			return
		}
		s.keys = append(s.keys, uint64(all[i].IP)<<32|uint64(i))
	}
	s.sortKeys()
	for n, key := range s.keys {
		items[n] = int32(uint32(key))
	}
	for start := 0; start < len(items); {
		end := start + 1
		for end < len(items) && s.keys[start]>>32 == s.keys[end]>>32 {
			end++
		}
		if end > start+1 {
			slices.SortFunc(items[start:end], compare)
		}
		start = end
	}
}

// sortKeys sorts the keys by their upper halves: byte by byte, from the last in which keys differ to the first. Comparing
// the addresses of ten thousand new endpoints would take longer than all the rest that is done with them.
func (s *Sorter) sortKeys() {
	const few = 24
	differ, sorted := uint64(0), true
	for n, key := range s.keys {
		differ |= key ^ s.keys[0]
		sorted = sorted && (n == 0 || key >= s.keys[n-1])
	}
	if sorted {
		return
	}
	if len(s.keys) <= few {
		slices.Sort(s.keys)
		return
	}
	from, to := s.keys, slices.Grow(s.aside[:0], len(s.keys))[:len(s.keys)]
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
	s.keys, s.aside = from, to
}
