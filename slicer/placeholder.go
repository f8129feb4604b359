package slicer

import (
	"cmp"
	"strings"
)

// placePlaceholder leaves an address type without endpoints with one empty slice, or with none (G13). Of our slices the
// one that is an empty slice already stays, else the one that is nearest to it.
func (p *planner) placePlaceholder(t int32) {
	keep := int32(none)
	for i := range p.slices {
		s := &p.slices[i]
		if s.typ != t {
			continue
		}
		s.fate = deleted
		if !p.in.Options.NoPlaceholder && (keep == none || p.nearerPlaceholder(s, &p.slices[keep])) {
			keep = int32(i)
		}
	}
	for i := range p.slices {
		if s := &p.slices[i]; s.typ == t && int32(i) != keep {
			s.reasons.add(NothingLeft)
		}
	}
	switch {
	case keep != none:
		p.empty(&p.slices[keep])
	case !p.in.Options.NoPlaceholder && !p.limits.NoCreates:
		p.creates = append(p.creates, create{group: none, typ: t})
	}
}

func (p *planner) empty(s *slice) {
	s.fate, s.group = emptied, none
	if len(s.object.Endpoints) > 0 {
		s.reasons.add(EndpointsRemoved)
		s.reasons.add(PlaceholderWanted)
	}
	if len(s.object.Ports) > 0 {
		s.reasons.add(PortsChanged)
		s.reasons.add(PlaceholderWanted)
	}
}

func (p *planner) nearerPlaceholder(a, b *slice) bool {
	distance := func(s *slice) int {
		d := 0
		if s.reasons != 0 {
			d++
		}
		if len(s.object.Ports) > 0 {
			d += 2
		}
		if len(s.object.Endpoints) > 0 {
			d += 4
		}
		return d
	}
	return cmp.Or(cmp.Compare(distance(a), distance(b)), strings.Compare(a.object.Name, b.object.Name)) < 0
}
