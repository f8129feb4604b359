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
		} else if (s.split || p.in.Options.SplitOversize) && int(s.homes) > p.max {
			s.reasons.add(OversizeSplit)
		}
	}
}

func (p *planner) matchSlice(index int32, s *slice) {
	twice := false
	unhinted := p.in.Options.Hints.Mode == hints.None
	for j, f := range p.identify(s.object.Endpoints, s.group) {
		e := &s.object.Endpoints[j]
		if f.item == none {
			s.removed++
			s.reasons.add(EndpointsRemoved)
			continue
		}
		it := &p.items[f.item]
		if it.home != none {
			s.removed++
			s.reasons.add(DuplicatesRemoved)
			if it.home == index {
				it.hold(e)
				twice = true
			}
			continue
		}
		it.home, it.held, it.matched, it.exact = index, e, true, f.same
		s.homes++
		if !f.same || e.Hints != nil && unhinted || !unhinted && !p.sameWantedHints(it.endpoint, e) {
			p.compare(s, it)
		}
	}
	if twice {
		p.compareAgain(s)
	}
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
