package slicer

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/hinting"
)

// decideHints decides the hints of every address type, over all its port sets. It returns the
// slices that must be written only because hints of their items change. A slice is in the list once
// for each of these items.
func (p *placement) decideHints() (rewritten []int32) {
	if p.req.allocates {
		for i := range p.items {
			p.items[i].hints = p.items[i].heldHints()
		}
	}
	p.decisions = nil
	for t, has := range p.present.types {
		if !has {
			continue
		}
		var decision hints.Decision
		if p.req.allocates {
			var more []int32
			decision, more = p.allocate(int32(t))
			rewritten = append(rewritten, more...)
		} else {
			decision = p.ownHints(int32(t))
		}
		decision.AddressType = endpoint.AddressTypes[t]
		p.decisions = append(p.decisions, decision)
	}
	return rewritten
}

// heldHints returns the hints that existing slices have for an item, or nil if they have none. The
// mode Keep keeps these hints, and an allocation starts from them.
func (it *placedItem) heldHints() *discoveryv1.EndpointHints {
	if it.previous == nil {
		return nil
	}
	return it.previous.Hints
}

// ownHints returns the decision of the modes that look at each endpoint alone. It shows package
// hints only the endpoints that the decision can list: endpoints without a hint, a zone or a node.
func (p *placement) ownHints(typ int32) hints.Decision {
	mode := p.req.Hints.Mode
	var named []discoveryv1.Endpoint
	if mode == hints.PreferSameZone || mode == hints.PreferSameNode {
		for i := range p.items {
			it := &p.items[i]
			_, ok := hinting.HintOf(string(mode), it.endpoint)
			if (!ok || hinting.Lacks(string(mode), it.endpoint)) && p.wanted.portSets[it.portSet].typ == typ {
				named = append(named, *it.endpoint)
			}
		}
	}
	var shown []hinting.Slice
	if len(named) > 0 {
		shown = []hinting.Slice{{Written: true, Endpoints: named}}
	}
	_, decision := p.req.assignHints(shown)
	return decision
}

// hintOptions returns the options as package hinting takes them.
func (req *request) hintOptions() hinting.Options {
	o := &req.Hints
	return hinting.Options{
		Mode: string(o.Mode), Limit: o.Limit, Weights: hinting.Weights(o.Weights), Steady: o.Steady,
	}
}

func (req *request) assignHints(shown []hinting.Slice) ([]hinting.Change, hints.Decision) {
	changes, made, err := hinting.Assign(req.hintOptions(), shown)
	if err != nil {
		panic("slicer: hints refuse a configuration that was validated: " + err.Error())
	}
	decision := hints.Decision{Mode: req.Hints.Mode, On: made.On, Reason: made.Reason, Message: made.Message}
	for _, z := range made.Zones {
		decision.Zones = append(decision.Zones, hints.Allocation(z))
	}
	return changes, decision
}

// allocate decides hints over all items of an address type. It shows package hints the slices that
// will hold items: first existing slices by name, then new ones. It returns those slices whose
// hints change and that are not written for another reason.
func (p *placement) allocate(typ int32) (decision hints.Decision, rewritten []int32) {
	var numbers []int32
	var shown []hinting.Slice
	for n := range p.slices {
		if s := &p.slices[n]; s.typ == typ && s.outcome == kept {
			numbers = append(numbers, int32(n))
			shown = append(shown, p.show(s))
		}
	}
	changes, decision := p.req.assignHints(shown)
	for _, c := range changes {
		n := numbers[c.Slice]
		s := &p.slices[n]
		if s.written() {
			p.items[s.items[c.Endpoint]].hints = c.Hints
		} else {
			// Nothing else changes in the slice, so matchSlice has found an item for each of its
			// endpoints.
			p.items[s.found[c.Endpoint].item].hints = c.Hints
			rewritten = append(rewritten, n)
		}
	}
	return decision, rewritten
}

// show returns a slice for package hints: the endpoints that it will hold, with the hints that
// existing slices have for them.
func (p *placement) show(s *placedSlice) hinting.Slice {
	var shown hinting.Slice
	if s.object != nil {
		shown.Name = s.object.Name
	}
	if !s.written() {
		shown.Endpoints = s.object.Endpoints
		return shown
	}
	shown.Written = true
	shown.Endpoints = make([]discoveryv1.Endpoint, len(s.items))
	for j, i := range s.items {
		shown.Endpoints[j] = *p.items[i].endpoint
		shown.Endpoints[j].Hints = p.items[i].heldHints()
	}
	return shown
}

// hintsOf returns the hints that an item gets. It works in all modes.
func (p *placement) hintsOf(i int32) (gets itemHints) {
	it := &p.items[i]
	switch {
	case p.req.allocates:
		gets.given = endpoint.HintsOf(it.hints)
	case p.req.Hints.Mode == hints.Keep:
		if held := it.heldHints(); p.req.keeps(held) {
			gets.given = endpoint.HintsOf(held)
		}
	default:
		return p.req.wantedHints(it.endpoint)
	}
	return gets
}

// sameWantedHints reports whether held, the endpoint in a slice, has the hints that the wanted
// endpoint gets. It returns true if hints are allocated, because they are decided only when all
// items are placed. It returns true for Keep as well, because Keep keeps the hints in the slice.
func (req *request) sameWantedHints(wanted, held *discoveryv1.Endpoint) bool {
	if req.allocates || req.Hints.Mode == hints.Keep {
		return true
	}
	return req.wantedHints(wanted).same(held.Hints)
}

// wantedHints returns the hints of an endpoint in the modes that decide about each endpoint alone.
func (req *request) wantedHints(wanted *discoveryv1.Endpoint) (gets itemHints) {
	if req.Hints.Mode == hints.Given {
		gets.given = endpoint.HintsOf(wanted.Hints)
	} else {
		gets.own, _ = hinting.HintOf(string(req.Hints.Mode), wanted)
	}
	return gets
}

// itemHints are the hints that an item gets: own, or given if own is zero.
type itemHints struct {
	given discoveryv1.EndpointHints // share memory with the input
	own   hinting.Hint              // a hint that the mode makes
}

// same reports whether held hints equal the hints that the item gets.
func (h itemHints) same(held *discoveryv1.EndpointHints) bool {
	if h.own != (hinting.Hint{}) {
		return h.own.Matches(held)
	}
	return endpoint.SameHints(&h.given, held)
}

// keeps reports whether Keep may write hints again that a slice holds. Keep may not write hints
// that the API server now refuses, although it accepted them earlier.
func (req *request) keeps(held *discoveryv1.EndpointHints) bool {
	return held == nil || accept.RefuseHints(held) == nil
}
