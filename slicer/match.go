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
			s.fate = deleted
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
		} else if (s.split || p.in.Options.SplitOversize) && !p.fits(s) {
			s.reasons.add(OversizeSplit)
		}
	}
}

func (p *planner) matchSlice(index int32, s *slice) {
	unhinted := p.in.Options.Hints.Mode == hints.None
	for j, f := range p.identify(s.object.Endpoints, s.group) {
		e := &s.object.Endpoints[j]
		if f.item == none {
			s.reasons.add(EndpointsRemoved)
			continue
		}
		it := &p.items[f.item]
		if it.home != none {
			s.reasons.add(DuplicatesRemoved)
			p.noteCopy(f.item, index, e)
			if it.home == index {
				it.hold(e)
			}
			continue
		}
		it.home, it.held, it.matched, it.exact = index, e, true, f.same
		s.homes++
		if !f.same || e.Hints != nil && unhinted || !unhinted && !p.sameWantedHints(it.endpoint, e) {
			p.compare(s, it)
		}
	}
}

// compare notes that a slice must be written where an endpoint at home differs from what is wanted.
func (p *planner) compare(s *slice, it *item) {
	if !p.sameContent(it.endpoint, it.held) {
		s.reasons.add(EndpointsChanged)
	}
	if !p.sameWantedHints(it.endpoint, it.held) {
		s.reasons.add(HintsChanged)
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
