package slicer

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// found is the item that an existing endpoint is, or none.
type found struct {
	item  int32
	exact bool // to the letter, hints apart
}

// identify finds the items that existing endpoints are in a group. The result is valid until rewind. Where the caller of
// Compute lists endpoints in the order of the slices, each is the one after the last; and where he lists the slices' own
// values, that is seen without reading them.
func (f *finder) identify(endpoints []discoveryv1.Endpoint, group int32) []found {
	start := len(f.found)
	f.found = slices.Grow(f.found, len(endpoints))
	next := f.next[group]
	for j := range endpoints {
		if int(next) >= len(f.items) || f.items[next].endpoint != &endpoints[j] || f.items[next].group != group {
			next = f.identifyEach(endpoints[j:], group, next)
			break
		}
		f.found = append(f.found, found{next, true})
		next++
	}
	f.next[group] = next
	return f.found[start:len(f.found):len(f.found)]
}

// identifyEach appends to f.found the items of endpoints, of which the first is likely to be next. It returns the one after
// the last found.
func (f *finder) identifyEach(endpoints []discoveryv1.Endpoint, group, next int32) int32 {
	guesses := f.guess(endpoints, group)
	for j := range endpoints {
		e := &endpoints[j]
		var at found
		if guesses != nil {
			if j%prefetchDistance == 0 {
				f.sink += f.prefetchGuesses(guesses[j:min(j+prefetchDistance, len(guesses))])
			}
			at = f.identicalAt(guesses[j], e, group)
		} else {
			at = f.identicalTo(next, e, group)
		}
		if !at.exact && (at.item == none || guesses != nil || !f.same(f.items[at.item].endpoint, e, group)) {
			at.item = f.lookup(e, group)
		}
		if at.item != none {
			next = at.item + 1
		}
		f.found = append(f.found, at)
	}
	return next
}

// guess is the item that an existing endpoint is likely to be, by the hash of its identity alone, or none.
type guess struct {
	item int32
	ip   uint32 // the endpoint's only address, where that is a canonical IPv4 text; else 0
}

// guess guesses which items existing endpoints are in a group. A loop that looks at nothing else waits less for memory. nil
// while there is no table, because then lists agree on their order.
func (f *finder) guess(endpoints []discoveryv1.Endpoint, group int32) []guess {
	if !f.indexed {
		return nil
	}
	f.guesses = slices.Grow(f.guesses[:0], len(endpoints))
	for j := range endpoints {
		if j%prefetchDistance == 0 {
			f.sink += prefetchEndpoints(endpoints[j:min(j+prefetchDistance, len(endpoints))])
		}
		e := &endpoints[j]
		hash, ip := uint64(0), onlyIPv4(e)
		if ip != 0 {
			hash = f.hashAt(ip, e, group)
		} else {
			hash = f.speltHash(e, group)
		}
		f.guesses = append(f.guesses, guess{f.table.first(hash), ip})
	}
	return f.guesses
}

// identicalTo returns an item if it is of the group, and whether it is the endpoint to the letter. It is the short way for
// the item after the last one found.
func (f *finder) identicalTo(i int32, e *discoveryv1.Endpoint, group int32) found {
	if int(i) >= len(f.items) || f.items[i].group != group {
		return found{item: none}
	}
	return found{i, identical(f.items[i].endpoint, e)}
}

// identicalAt is identicalTo for a guess.
func (f *finder) identicalAt(g guess, e *discoveryv1.Endpoint, group int32) found {
	if g.item == none {
		return found{item: none}
	}
	it := &f.items[g.item]
	if g.ip != 0 && it.ip != 0 {
		return found{g.item, it.group == group && it.ip == g.ip && identicalBut(it.endpoint, e)}
	}
	return found{g.item, it.group == group && identical(it.endpoint, e)}
}
