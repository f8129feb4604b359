package check

import (
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/hinting"
)

// checkAllocated: of each address type the hints are what package hints promises, given those
// that were there (H1 to H3, H6, H7). Where copies of an endpoint held different hints, it is open
// which of them were there.
func (o *outcome) checkAllocated(h *current) {
	if !o.decidedOverAll() {
		return
	}
	for _, d := range o.plan.Hints {
		var first error
		for _, hinted := range []bool{true, false} {
			in, changes := o.assigned(h, d.AddressType, hinted)
			err := Hints(hintOptions(o.in.Hints), in, changes, decided(d))
			if err == nil {
				first = nil
				break
			}
			if first == nil {
				first = fmt.Errorf("%w, for %s", err, d.AddressType)
			}
		}
		if first != nil {
			o.failures = append(o.failures, first)
		}
	}
}

// assigned is what hinting.Assign was asked, as far as the plan tells, and what it must have
// answered. Of several hints that an endpoint had, it takes some, or none if it may.
func (o *outcome) assigned(h *current, t discoveryv1.AddressType,
	hinted bool) (in []hinting.Slice, changes []hinting.Change) {
	for _, s := range o.slots {
		if s.now == nil || s.now.AddressType != t || len(s.now.Endpoints) == 0 {
			continue
		}
		at := hinting.Slice{Name: s.name(), Written: s.written()}
		for k, id := range s.ids {
			e := s.now.Endpoints[k]
			after := e.Hints
			if s.written() {
				e.Hints = o.hintsBefore(h, s.group, id, after, hinted)
			}
			at.Endpoints = append(at.Endpoints, e)
			if !sameHints(e.Hints, after) {
				changes = append(changes, hinting.Change{Slice: len(in), Endpoint: k, Hints: after})
			}
		}
		in = append(in, at)
	}
	return in, changes
}

// hintsBefore are hints that an endpoint had: in its current slice, or, if it has none, in any
// slice.
func (o *outcome) hintsBefore(h *current, g *group, id string, after *discoveryv1.EndpointHints,
	hinted bool) *discoveryv1.EndpointHints {
	holders, unhinted := of(g.addressType, o.live), true
	if s := h.slice[g][id]; s != nil {
		holders, unhinted = []*discoveryv1.EndpointSlice{s}, false
	}
	var before *discoveryv1.EndpointHints
	for _, s := range holders {
		for _, e := range copies(s, g, id) {
			switch {
			case len(HintNames(e.Hints)) == 0:
				unhinted = true
			case before == nil || sameHints(e.Hints, after):
				before = e.Hints
			}
		}
	}
	if unhinted && !hinted {
		return nil
	}
	return before
}

// decidedOverAll reports whether hints are decided over all endpoints of an address type.
func (o *outcome) decidedOverAll() bool {
	return hinting.OverAll(hintOptions(o.in.Hints))
}

// hintOptions returns the options as package hinting takes them.
func hintOptions(o hints.Options) hinting.Options {
	return hinting.Options{
		Mode: string(o.Mode), Limit: o.Limit, Weights: hinting.Weights(o.Weights), Steady: o.Steady,
	}
}

// decided returns a decision as package hinting returned it.
func decided(d hints.Decision) hinting.Decision {
	made := hinting.Decision{On: d.On, Reason: d.Reason, Message: d.Message}
	for _, z := range d.Zones {
		made.Zones = append(made.Zones, hinting.Zone(z))
	}
	return made
}
