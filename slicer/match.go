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
	for j := range s.object.Endpoints {
		e := &s.object.Endpoints[j]
		found, same := p.next(e, next, s.group)
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

// next is the short way where writers and listers agree on the order: it reports whether the item after the last one
// found is the endpoint, to the letter.
func (p *planner) next(e *discoveryv1.Endpoint, next, group int32) (int32, bool) {
	if next == none || int(next) == len(p.items) {
		return none, false
	}
	it := &p.items[next]
	return next, it.group == group && identical(it.endpoint, e)
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
