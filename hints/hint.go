package hints

import (
	discoveryv1 "k8s.io/api/discovery/v1"
)

// Hint is the zone and the node to which one endpoint is hinted: at most one zone and one node, each empty for none. The zero
// value is no hint at all. Hints are comparable with ==.
//
// Several zones for one endpoint are valid in the API and never produced here: endpoints that zones share overload,
// because readers know no weights.
type Hint struct {
	Zone string
	Node string
}

// Matches reports whether an endpoint's hints say exactly this. nil and empty hints are the same.
func (h Hint) Matches(hints *discoveryv1.EndpointHints) bool {
	if hints == nil {
		return h == Hint{}
	}
	switch len(hints.ForZones) {
	case 0:
		if h.Zone != "" {
			return false
		}
	case 1:
		if hints.ForZones[0].Name != h.Zone || h.Zone == "" {
			return false
		}
	default:
		return false
	}
	switch len(hints.ForNodes) {
	case 0:
		return h.Node == ""
	case 1:
		return h.Node != "" && hints.ForNodes[0].Name == h.Node
	default:
		return false
	}
}

// Endpoint returns the hint as the API spells it, nil for no hint. The result is the caller's own, shared with nothing.
func (h Hint) Endpoint() *discoveryv1.EndpointHints {
	if h == (Hint{}) {
		return nil
	}
	if h.Node != "" {
		hints := &discoveryv1.EndpointHints{ForNodes: []discoveryv1.ForNode{{Name: h.Node}}}
		if h.Zone != "" {
			hints.ForZones = []discoveryv1.ForZone{{Name: h.Zone}}
		}
		return hints
	}
	// Zones alone are what nearly all hints are: one allocation.
	hints := &struct {
		discoveryv1.EndpointHints
		zones [1]discoveryv1.ForZone
	}{zones: [1]discoveryv1.ForZone{{Name: h.Zone}}}
	hints.ForZones = hints.zones[:]
	return &hints.EndpointHints
}

// HintOf returns the hint of one endpoint in the modes that look at nothing else: SameZone hints a ready endpoint
// to its zone, SameNode to its node as well; an endpoint that is not ready gets none (nil ready counts as ready). In
// every other mode, and for nil, it is the zero Hint. It never reads the hints that the endpoint has, allocates nothing,
// and the names share the endpoint's memory.
//
// ok is false when the endpoint's zone or node is a name that the API server refuses in a hint; that name is then left
// out. An empty name is no name.
func HintOf(mode Mode, e *discoveryv1.Endpoint) (hint Hint, ok bool) {
	ok = true
	if e == nil || (mode != SameZone && mode != SameNode) || !ready(e) {
		return Hint{}, true
	}
	if e.Zone != nil && *e.Zone != "" {
		if validZone(*e.Zone) {
			hint.Zone = *e.Zone
		} else {
			ok = false
		}
	}
	if mode == SameNode && e.NodeName != nil && *e.NodeName != "" {
		if validNode(*e.NodeName) {
			hint.Node = *e.NodeName
		} else {
			ok = false
		}
	}
	return hint, ok
}

// ready is conditions.Of(e.Conditions).Ready without looking at the rest.
func ready(e *discoveryv1.Endpoint) bool {
	return e.Conditions.Ready == nil || *e.Conditions.Ready
}
