package slicer

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// found is the item that an existing endpoint is, or none.
type found struct {
	item int32
	same bool // to the letter, hints apart
}

// identify finds the items that existing endpoints are in a group, until the next call. Where the caller lists endpoints in
// the order of the slices, each is the one after the last; and where he lists the slices' own values, that is seen without
// reading them.
func (p *planner) identify(endpoints []discoveryv1.Endpoint, group int32) []found {
	p.found = slices.Grow(p.found[:0], len(endpoints))
	next := p.groups[group].next
	for j := range endpoints {
		if int(next) >= len(p.items) || p.items[next].endpoint != &endpoints[j] || p.items[next].group != group {
			next = p.identifyEach(endpoints[j:], group, next)
			break
		}
		p.found = append(p.found, found{next, true})
		next++
	}
	p.groups[group].next = next
	return p.found
}

// identifyEach appends to p.found the items of endpoints, of which the first is likely to be next. It returns the one after
// the last found.
func (p *planner) identifyEach(endpoints []discoveryv1.Endpoint, group, next int32) int32 {
	guesses := p.guess(endpoints, group)
	for j := range endpoints {
		e := &endpoints[j]
		var f found
		if guesses != nil {
			if j%prefetchDistance == 0 {
				p.sink += p.prefetchGuesses(guesses[j:min(j+prefetchDistance, len(guesses))])
			}
			f.item, f.same = p.identicalAt(guesses[j], e, group)
		} else {
			f.item, f.same = p.identicalTo(next, e, group)
		}
		if !f.same && (f.item == none || guesses != nil || !p.same(p.items[f.item].endpoint, e, group)) {
			f.item = p.lookup(e, group)
		}
		if f.item != none {
			next = f.item + 1
		}
		p.found = append(p.found, f)
	}
	return next
}

// guess is the item that an existing endpoint is likely to be, by the hash of its identity alone, or none.
type guess struct {
	item int32
	ip   uint32 // the endpoint's only address, where that is a canonical IPv4 text; else 0
}

// guess guesses which items existing endpoints are in a group. A loop that looks at nothing else waits less for memory. nil
// while there is no table, for then lists agree on their order.
func (p *planner) guess(endpoints []discoveryv1.Endpoint, group int32) []guess {
	if !p.indexed {
		return nil
	}
	p.guesses = slices.Grow(p.guesses[:0], len(endpoints))
	for j := range endpoints {
		if j%prefetchDistance == 0 {
			p.sink += prefetchEndpoints(endpoints[j:min(j+prefetchDistance, len(endpoints))])
		}
		e := &endpoints[j]
		hash, ip := uint64(0), onlyIPv4(e)
		if ip != 0 {
			hash = p.hashAt(ip, e, group)
		} else {
			hash = p.speltHash(e, group)
		}
		p.guesses = append(p.guesses, guess{p.table.first(hash), ip})
	}
	return p.guesses
}

// identicalTo returns an item of the group, or none, and reports whether it is the endpoint to the letter. It is the short
// way for the item after the last one found.
func (p *planner) identicalTo(i int32, e *discoveryv1.Endpoint, group int32) (int32, bool) {
	if int(i) >= len(p.items) || p.items[i].group != group {
		return none, false
	}
	return i, identical(p.items[i].endpoint, e)
}

// identicalAt is identicalTo for a guess.
func (p *planner) identicalAt(g guess, e *discoveryv1.Endpoint, group int32) (int32, bool) {
	if g.item == none {
		return none, false
	}
	it := &p.items[g.item]
	if g.ip != 0 && it.ip != 0 {
		return g.item, it.group == group && it.ip == g.ip && identicalBut(it.endpoint, e)
	}
	return g.item, it.group == group && identical(it.endpoint, e)
}
