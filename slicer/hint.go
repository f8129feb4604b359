package slicer

import (
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
)

// hint decides the hints of every wanted address type, over all its groups, now that every endpoint has its place. It
// returns false where a slice above the maximum must be opened for its hints: then its surplus needs a place first.
func (p *planner) hint(attempt int) bool {
	p.plan.Hints = p.plan.Hints[:0]
	fits := true
	for t, wanted := range p.types {
		if !wanted {
			continue
		}
		if p.plan.Hints == nil {
			p.plan.Hints = make([]hints.Decision, 0, len(addressTypes))
		}
		var d hints.Decision
		if p.in.Options.Hints.Mode == hints.Proportional {
			d = p.allocate(int32(t), attempt, &fits)
		} else {
			d = p.decision(int32(t))
		}
		d.AddressType = addressTypes[t]
		p.plan.Hints = append(p.plan.Hints, d)
	}
	return fits
}

// decision is that of the modes in which match has decided already. Only names that cannot be hints are left to say.
func (p *planner) decision(t int32) hints.Decision {
	mode := p.in.Options.Hints.Mode
	var refused []discoveryv1.Endpoint
	if mode == hints.SameZone || mode == hints.SameNode {
		for i := range p.items {
			it := &p.items[i]
			if _, ok := hints.ForEndpoint(mode, it.endpoint); !ok && p.groups[it.group].typ == t {
				refused = append(refused, *it.endpoint)
			}
		}
	}
	_, d := p.assign([]hints.Slice{{Written: true, Endpoints: refused}})
	return d
}

func (p *planner) assign(in []hints.Slice) ([]hints.Change, hints.Decision) {
	changes, d, err := hints.Assign(p.in.Options.Hints, in)
	if err != nil {
		panic("slicer: hints refuse a configuration that was validated: " + err.Error())
	}
	return changes, d
}

// allocate lets Proportional decide for an address type and notes what must change.
func (p *planner) allocate(t int32, attempt int, fits *bool) hints.Decision {
	places := p.hintPlaces(t)
	in := make([]hints.Slice, len(places))
	for n, place := range places {
		in[n] = p.hintSlice(place)
	}
	changes, d := p.assign(in)
	crowded := false
	for _, c := range changes {
		if place := places[c.Slice]; place < createBase && !in[c.Slice].Written && !p.fits(&p.slices[place]) {
			p.slices[place].split = true
			crowded = true
		}
	}
	if crowded {
		*fits = false
		if attempt > 0 { // opening some made others open: split all, to come to an end
			for i := range p.slices {
				p.slices[i].split = p.slices[i].split || p.slices[i].typ == t
			}
		}
		return d
	}
	for _, c := range changes {
		p.applyChange(places[c.Slice], in[c.Slice].Written, c)
	}
	if d.Opened > 0 {
		p.listed.valid = false // it lacks them
	}
	return d
}

// hintPlaces lists the slices of an address type that will hold endpoints: existing ones by name, then creates.
func (p *planner) hintPlaces(t int32) []int32 {
	var places []int32
	for i := range p.slices {
		if s := &p.slices[i]; s.typ == t && s.fate == stays {
			places = append(places, int32(i))
		}
	}
	slices.SortFunc(places, func(a, b int32) int {
		return strings.Compare(p.slices[a].object.Name, p.slices[b].object.Name)
	})
	for i := range p.creates {
		if c := &p.creates[i]; c.typ == t && c.group != none {
			places = append(places, createBase+int32(i))
		}
	}
	return places
}

// hintSlice shows a slice as it will be, with the hints of the last run on endpoints that stay.
func (p *planner) hintSlice(place int32) hints.Slice {
	in := hints.Slice{Written: true}
	if place < createBase {
		in.Name = p.slices[place].object.Name
		if !p.slices[place].written() {
			in.Written, in.Endpoints = false, p.slices[place].object.Endpoints
			return in
		}
	}
	items := p.contents(place)
	in.Endpoints = make([]discoveryv1.Endpoint, len(items))
	for n, i := range items {
		it := &p.items[i]
		in.Endpoints[n] = *it.endpoint
		in.Endpoints[n].Hints = nil
		if it.held != nil {
			in.Endpoints[n].Hints = it.held.Hints
		}
	}
	return in
}

// applyChange notes a hint that differs, and that its slice is written.
func (p *planner) applyChange(place int32, written bool, c hints.Change) {
	if p.assigned == nil {
		p.assigned = map[int32]hints.Hint{}
	}
	if written {
		p.assigned[p.contents(place)[c.Endpoint]] = c.Hint
		return
	}
	s := &p.slices[place]
	p.assigned[p.lookup(&s.object.Endpoints[c.Endpoint], s.group)] = c.Hint
	s.reasons.add(HintsChanged)
}

// hintsOfItem is what an endpoint is to have: hints as they are given, which belong to the input, or one of our own.
type hintsOfItem struct {
	given discoveryv1.EndpointHints
	own   hints.Hint
}

func (h hintsOfItem) none() bool {
	return len(h.given.ForZones)+len(h.given.ForNodes) == 0 && h.own == hints.Hint{}
}

func (p *planner) hintsFor(i int32) (h hintsOfItem) {
	it := &p.items[i]
	switch mode := p.in.Options.Hints.Mode; mode {
	case hints.Given:
		h.given = hintsOf(it.endpoint.Hints)
	case hints.SameZone, hints.SameNode:
		h.own, _ = hints.ForEndpoint(mode, it.endpoint)
	case hints.Keep:
		if it.held != nil && p.keeps(it.held.Hints) {
			h.given = hintsOf(it.held.Hints)
		}
	case hints.Proportional:
		own, changed := p.assigned[i]
		if h.own = own; !changed && it.held != nil {
			h.given = hintsOf(it.held.Hints)
		}
	}
	return h
}

// keeps reports whether Keep may write hints back that a slice holds already: the API server may refuse them today.
func (p *planner) keeps(h *discoveryv1.EndpointHints) bool {
	return h == nil || p.in.Options.Invalid == Pass || refuseHints(h) == nil
}

// startOver forgets all that match, pack and hint decided, but which slices must be split.
func (p *planner) startOver() {
	for i := range p.items {
		it := &p.items[i]
		it.held, it.home, it.slice, it.seenIn, it.matched, it.exact = nil, none, none, none, false, false
	}
	for i := range p.slices {
		s := &p.slices[i]
		*s = slice{object: s.object, typ: s.typ, group: s.was, was: s.was, split: s.split}
	}
	for g := range p.groups {
		p.groups[g].next = p.groups[g].first
	}
	p.creates, p.copies, p.plan.Unplaced = p.creates[:0], p.copies[:0], nil
	p.listed.valid, p.assigned = false, nil
}
