package slicer

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
)

// match finds the home of every wanted endpoint: the slice of its group that holds it, of several the one with the
// highest resourceVersion (G5). It notes what each slice holds that is not at home there or differs.
func (p *planner) match() {
	for i := range p.slices {
		s := &p.slices[i]
		if s.typ == none {
			s.fate, s.removed = deleted, int32(len(s.object.Endpoints))
			s.reasons.add(AddressTypeGone)
			continue
		}
		s.reasons |= p.meta.drift(s.object)
		if s.group == none {
			continue
		}
		p.matchSlice(int32(i), s)
		if s.homes == 0 {
			s.fate = free
		} else if (s.split || p.in.Options.Oversize == SplitOversize) && int(s.homes) > p.max {
			s.reasons.add(OversizeSplit)
		}
	}
}

func (p *planner) matchSlice(index int32, s *slice) {
	twice, next := false, int32(none)
	unhinted := p.in.Options.Hints.Mode == hints.None
	guesses := p.guess(s)
	for j := range s.object.Endpoints {
		e := &s.object.Endpoints[j]
		var found int32
		var same bool
		if guesses != nil {
			if j%reach == 0 {
				p.touched += p.touchGuesses(guesses[j:min(j+reach, len(guesses))])
			}
			found, same = p.identicalAt(guesses[j], e, s.group)
		} else {
			found, same = p.identicalTo(next, e, s.group)
		}
		if !same {
			found = p.lookup(e, s.group)
		}
		if next = found; found == none {
			s.removed++
			s.reasons.add(EndpointsRemoved)
			continue
		}
		next++
		it := &p.items[found]
		if it.home != none {
			s.removed++
			s.reasons.add(DuplicatesRemoved)
			if it.home == index {
				it.hold(e)
				twice = true
			}
			continue
		}
		it.home, it.held, it.matched, it.exact = index, e, true, same
		s.homes++
		if !same || e.Hints != nil && unhinted || !unhinted && !p.sameWantedHints(it.endpoint, e) {
			p.compare(s, it)
		}
	}
	if twice {
		p.compareAgain(s)
	}
}

// guess is the item that an existing endpoint is likely to be, by the hash of its identity alone, or none.
type guess struct {
	item int32
	ip   uint32 // the endpoint's only address, where that is a canonical IPv4 text; else 0
}

// guess guesses which items a slice holds. A loop that looks at nothing else waits less for memory. nil while there is no
// table, for then lists agree on their order.
func (p *planner) guess(s *slice) []guess {
	if !p.indexed {
		return nil
	}
	p.guesses = p.guesses[:0]
	endpoints := s.object.Endpoints
	for j := range endpoints {
		if j%reach == 0 {
			p.touched += touchEndpoints(endpoints[j:min(j+reach, len(endpoints))])
		}
		e := &endpoints[j]
		hash, ip := uint64(0), onlyIPv4(e)
		if ip != 0 {
			hash = p.hashAt(ip, e, s.group)
		} else {
			hash = p.speltHash(e, s.group)
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

// compareAgain compares after the last of an endpoint's copies in one slice is known, since their order must not count.
func (p *planner) compareAgain(s *slice) {
	s.changed = 0
	s.reasons &^= 1<<EndpointsChanged | 1<<HintsChanged
	for j := range s.object.Endpoints {
		e := &s.object.Endpoints[j]
		if found := p.lookup(e, s.group); found != none && p.items[found].held == e {
			p.compare(s, &p.items[found])
		}
	}
}

// compare notes how an endpoint at home differs from what is wanted.
func (p *planner) compare(s *slice, it *item) {
	content := p.sameContent(p.endpoint(it), it.held)
	if !content {
		s.reasons.add(EndpointsChanged)
	}
	hinted := p.sameWantedHints(it.endpoint, it.held)
	if !hinted {
		s.reasons.add(HintsChanged)
	}
	if !content || !hinted {
		s.changed++
	}
}

// sameWantedHints reports whether what a slice holds for an endpoint has the hints that are wanted. Proportional decides
// over all endpoints once they are placed, and Keep has no say.
func (p *planner) sameWantedHints(wanted, held *discoveryv1.Endpoint) bool {
	switch mode := p.in.Options.Hints.Mode; mode {
	case hints.Given:
		return sameHints(wanted.Hints, held.Hints)
	case hints.None, hints.SameZone, hints.SameNode:
		hint, _ := hints.ForEndpoint(mode, wanted)
		return hint.Matches(held.Hints)
	default:
		return true
	}
}
