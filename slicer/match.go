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
	candidates := p.candidates(s)
	for j := range s.object.Endpoints {
		e := &s.object.Endpoints[j]
		if candidates != nil {
			next = candidates[j]
		}
		found, same := p.identicalTo(next, e, s.group)
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
		it.home, it.held, it.matched = index, e, true
		s.homes++
		if !same || !p.sameWantedHints(it.endpoint, e) {
			p.compare(s, it)
		}
	}
	if twice {
		p.compareAgain(s)
	}
}

// candidates guesses which items a slice holds, by the hashes of their identities alone: a loop that looks at nothing else
// waits less for memory. nil while there is no table, for then lists agree on their order.
func (p *planner) candidates(s *slice) []int32 {
	if !p.indexed {
		return nil
	}
	p.scratch = p.scratch[:0]
	for j := range s.object.Endpoints {
		p.scratch = append(p.scratch, p.table.first(p.speltHash(&s.object.Endpoints[j], s.group)))
	}
	return p.scratch
}

// identicalTo reports whether an item is the endpoint to the letter, and returns the item. It is the short way for the
// item after the last one found, where writers and listers agree on the order, and for candidates.
func (p *planner) identicalTo(i int32, e *discoveryv1.Endpoint, group int32) (int32, bool) {
	if i == none || int(i) == len(p.items) {
		return none, false
	}
	it := &p.items[i]
	return i, it.group == group && identical(it.endpoint, e)
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
	content := p.sameContent(it.endpoint, it.held)
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
