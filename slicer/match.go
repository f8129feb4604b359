package slicer

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/meta"
)

// match finds the home of every item: the slice with its ports that holds it, of several the one with the highest
// resourceVersion (G5). A slice in which something is not as wanted is dirty. split has the slices above the maximum that
// must come down to it now.
func match(r *rules, w *wanted, x *present, split splits, h *homes) {
	h.begin(len(w.items), len(x.slices))
	w.ids.Rewind()
	for _, i := range x.newest {
		s, at := &x.slices[i], &h.slices[i]
		if s.typ == none {
			continue
		}
		at.dirty = s.drift != (meta.Drift{})
		if s.ports == none {
			continue
		}
		at.found = w.ids.Identify(s.object.Endpoints, s.ports)
		if matchSlice(r, w, h, i, s) {
			at.dirty = true
		}
		if (r.options.SplitOversize || split.has(i)) && !r.layout.Fits(int(at.count)) {
			at.dirty = true
		}
	}
}

// matchSlice notes which items a slice holds, and reports whether something in it must change.
func matchSlice(r *rules, w *wanted, h *homes, index int32, s *liveSlice) (dirty bool) {
	unhinted := r.options.Hints.Mode == hints.None
	for j, at := range h.slices[index].found {
		e := &s.object.Endpoints[j]
		if at.Item == none {
			dirty = true
			continue
		}
		if h.items[at.Item].slice != none {
			dirty = true
			h.addCopy(at.Item, index, e)
			continue
		}
		h.makeHome(at.Item, index, s.ports, e, at.Exact)
		if dirty || at.Exact && unhinted && e.Hints == nil {
			continue
		}
		wanted := w.items[at.Item].Endpoint
		dirty = !at.Exact && !r.sameContent(wanted, e) || !r.sameWantedHints(wanted, e)
	}
	return dirty
}

// sameWantedHints reports whether what a slice holds for an endpoint has the hints that are wanted. Proportional decides
// over all endpoints once they are placed, and Keep demands only that the API server accepts what is kept.
func (r *rules) sameWantedHints(wanted, held *discoveryv1.Endpoint) bool {
	switch mode := r.options.Hints.Mode; mode {
	case hints.Given:
		return endpoint.SameHints(wanted.Hints, held.Hints)
	case hints.None, hints.SameZone, hints.SameNode:
		hint, _ := hints.HintOf(mode, wanted)
		return hint.Matches(held.Hints)
	default:
		return true
	}
}

// sameContent reports whether a slice that holds one endpoint need not be written for the other, hints apart.
func (r *rules) sameContent(a, b *discoveryv1.Endpoint) bool {
	return r.sameConditions(&a.Conditions, &b.Conditions) && endpoint.SameTexts(a, b) &&
		endpoint.SameReference(a.TargetRef, b.TargetRef) && endpoint.SameAddressList(a.Addresses, b.Addresses)
}

// sameWanted reports whether two wanted endpoints of one identity are one.
func (r *rules) sameWanted(a, b *discoveryv1.Endpoint) bool {
	return r.sameContent(a, b) && (r.options.Hints.Mode != hints.Given || endpoint.SameHints(a.Hints, b.Hints))
}

// sameConditions compares what conditions mean, or with Options.ExplicitConditions what they say.
func (r *rules) sameConditions(a, b *discoveryv1.EndpointConditions) bool {
	if r.options.ExplicitConditions {
		return endpoint.SameConditions(a, b)
	}
	return conditions.Of(*a) == conditions.Of(*b)
}
