package slicer

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// carriedOver are the hints that existing slices have for an item: Keep and Proportional start from them. nil: none.
func carriedOver(h homes, item int32) *discoveryv1.EndpointHints {
	if previous := h.items[item].previous; previous != nil {
		return previous.Hints
	}
	return nil
}

// hintsOfItem is what an endpoint is to have: hints as they are given, which belong to the input, or one of our own.
type hintsOfItem struct {
	given discoveryv1.EndpointHints
	own   hints.Hint
}

func (w hintsOfItem) none() bool {
	return len(w.given.ForZones)+len(w.given.ForNodes) == 0 && w.own == hints.Hint{}
}

// same reports whether an endpoint that has hints h has those it is to have.
func (w hintsOfItem) same(h *discoveryv1.EndpointHints) bool {
	if w.own != (hints.Hint{}) {
		return w.own.Matches(h)
	}
	return endpoint.SameHints(&w.given, h)
}

// of returns the hints of an item.
func (d *decisions) of(r *rules, w *wanted, h homes, i int32) (have hintsOfItem) {
	switch d.mode {
	case hints.Given:
		have.given = endpoint.HintsOf(w.items[i].Endpoint.Hints)
	case hints.SameZone, hints.SameNode:
		have.own, _ = hints.HintOf(d.mode, w.items[i].Endpoint)
	case hints.Keep:
		if previous := carriedOver(h, i); r.keeps(previous) {
			have.given = endpoint.HintsOf(previous)
		}
	case hints.Proportional:
		own, changed := d.assigned[i]
		if have.own = own; !changed {
			have.given = endpoint.HintsOf(carriedOver(h, i))
		}
	}
	return have
}

// keeps reports whether Keep may write hints back that a slice holds already: the API server may refuse them today.
func (r *rules) keeps(h *discoveryv1.EndpointHints) bool {
	return h == nil || r.options.Invalid == Pass || accept.RefuseHints(h) == nil
}
