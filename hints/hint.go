package hints

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// Mode says where the hints of endpoints come from. The zero value is None.
type Mode string

const (
	// None writes no hint anywhere and removes those that are there. It is empty.
	None Mode = ""
	// Given writes the hints that the wanted endpoints carry: none, where they carry none.
	Given Mode = "Given"
	// Keep leaves hints to another writer: an endpoint that stays keeps its hints, and they are no reason to write.
	// When its slice is written for another reason, hints that the API server refuses, or that name no zone, are dropped.
	Keep Mode = "Keep"
	// SameZone hints every ready endpoint to its own zone (spec.trafficDistribution PreferSameZone or PreferClose, KEP-4444). One
	// without zone gets no hint, and kube-proxy then ignores those of all others of its family; the Decision names it.
	SameZone Mode = "SameZone"
	// SameNode hints every ready endpoint to its own node and zone (spec.trafficDistribution PreferSameNode,
	// KEP-3015).
	SameNode Mode = "SameNode"
	// Proportional gives zones endpoints in proportion to their allocatable CPU (topology mode Auto, KEP-2433).
	Proportional Mode = "Proportional"
)

var modes = []Mode{None, Given, Keep, SameZone, SameNode, Proportional}

// Hint is the zone and the node to which one endpoint is hinted, each empty for none. The zero value is no hint at all. Hints are
// comparable with ==.
type Hint struct {
	Zone, Node string
}

// Matches reports whether an endpoint's hints say exactly this. nil and empty hints are the same.
func (h Hint) Matches(hints *discoveryv1.EndpointHints) bool {
	if hints == nil {
		return h == Hint{}
	}
	zones, nodes := hints.ForZones, hints.ForNodes
	return (len(zones) == 0 && h.Zone == "" || len(zones) == 1 && h.Zone != "" && zones[0].Name == h.Zone) &&
		(len(nodes) == 0 && h.Node == "" || len(nodes) == 1 && h.Node != "" && nodes[0].Name == h.Node)
}

// Endpoint returns the hint as the API spells it, nil for no hint. The result is the caller's own, shared with nothing.
func (h Hint) Endpoint() *discoveryv1.EndpointHints {
	if h == (Hint{}) {
		return nil
	}
	made := new(oneZone)
	if h.Zone != "" {
		made.is(h.Zone)
	}
	if h.Node != "" {
		made.hints.ForNodes = []discoveryv1.ForNode{{Name: h.Node}}
	}
	return &made.hints
}

// oneZone is hints with room for the zone, because nearly all hints have one.
type oneZone struct {
	hints discoveryv1.EndpointHints
	zone  [1]discoveryv1.ForZone
}

// is makes them hints for a zone.
func (o *oneZone) is(zone string) *discoveryv1.EndpointHints {
	o.zone[0].Name, o.hints.ForZones = zone, o.zone[:]
	return &o.hints
}

// HintOf returns the hint of one endpoint in the modes that look at nothing else: SameZone hints a ready endpoint
// to its zone, SameNode to its node as well; an endpoint that is not ready gets none (nil ready counts as ready). In
// every other mode, and for nil, it is the zero Hint. It never reads the hints that the endpoint has, allocates nothing,
// and the names share the endpoint's memory.
//
// ok is false when the endpoint's zone or node is a name that the API server refuses in a hint; that name is then left
// out. An empty name is no name.
func HintOf(mode Mode, e *discoveryv1.Endpoint) (hint Hint, ok bool) {
	hint, refused := hintOf(mode, e)
	return hint, refused == Hint{}
}

// hintOf returns the names that the API server refuses, too.
func hintOf(mode Mode, e *discoveryv1.Endpoint) (hint, refused Hint) {
	if e == nil || (mode != SameZone && mode != SameNode) || !ready(e) {
		return Hint{}, Hint{}
	}
	if hint.Zone = endpoint.Text(e.Zone); hint.Zone != "" && accept.RefuseZone(hint.Zone) != nil {
		hint.Zone, refused.Zone = "", hint.Zone
	}
	if mode == SameZone {
		return hint, refused
	}
	if hint.Node = endpoint.Text(e.NodeName); hint.Node != "" && accept.RefuseNode(hint.Node) != nil {
		hint.Node, refused.Node = "", hint.Node
	}
	return hint, refused
}

func ready(e *discoveryv1.Endpoint) bool { return conditions.Of(e.Conditions).Ready }
