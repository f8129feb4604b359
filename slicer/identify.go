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

// identify finds the items that existing endpoints are in a group, until the next call. Where writers and listers agree on
// the order, each is likely to be the one after the last.
func (p *planner) identify(endpoints []discoveryv1.Endpoint, group int32) []found {
	p.found = slices.Grow(p.found[:0], len(endpoints))
	guesses, next := p.guess(endpoints, group), int32(none)
	for j := range endpoints {
		e := &endpoints[j]
		var f found
		if guesses != nil {
			if j%reach == 0 {
				p.touched += p.touchGuesses(guesses[j:min(j+reach, len(guesses))])
			}
			f.item, f.same = p.identicalAt(guesses[j], e, group)
		} else {
			f.item, f.same = p.identicalTo(next, e, group)
		}
		if !f.same {
			f.item = p.lookup(e, group)
		}
		if next = f.item; next != none {
			next++
		}
		p.found = append(p.found, f)
	}
	return p.found
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
		if j%reach == 0 {
			p.touched += touchEndpoints(endpoints[j:min(j+reach, len(endpoints))])
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

// identicalTo reports whether an item is the endpoint to the letter, and returns the item. It is the short way for the
// item after the last one found, where writers and listers agree on the order.
func (p *planner) identicalTo(i int32, e *discoveryv1.Endpoint, group int32) (int32, bool) {
	if i == none || int(i) == len(p.items) {
		return none, false
	}
	it := &p.items[i]
	if it.endpoint == nil {
		return i, it.group == group && it.ip == onlyIPv4(e) && p.settle(it, e)
	}
	return i, it.group == group && identical(it.endpoint, e)
}

// settle gives an item without endpoint the existing one of the same address, where that is just what is wanted.
func (p *planner) settle(it *item, e *discoveryv1.Endpoint) bool {
	if !p.holds(e, p.record(it)) {
		return false
	}
	it.endpoint = e
	return true
}

// identicalAt is identicalTo for a guess.
func (p *planner) identicalAt(g guess, e *discoveryv1.Endpoint, group int32) (int32, bool) {
	if g.item == none {
		return none, false
	}
	it := &p.items[g.item]
	if it.endpoint == nil {
		return g.item, it.group == group && it.ip == g.ip && p.settle(it, e)
	}
	if g.ip != 0 && it.ip != 0 {
		return g.item, it.group == group && it.ip == g.ip && identicalBut(it.endpoint, e)
	}
	return g.item, it.group == group && identical(it.endpoint, e)
}
