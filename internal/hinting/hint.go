package hinting

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// Hint is the zone and the node that the hints of one endpoint name, each empty if there is none.
// The zero value is no hint. Hints are comparable with ==.
type Hint struct {
	Zone, Node string
}

// Matches reports whether an endpoint's hints are exactly h. nil and empty hints are the same.
func (h Hint) Matches(hints *discoveryv1.EndpointHints) bool {
	if hints == nil {
		return h == Hint{}
	}
	forZones, forNodes := hints.ForZones, hints.ForNodes
	return (len(forZones) == 0 && h.Zone == "" || len(forZones) == 1 && h.Zone != "" && forZones[0].Name == h.Zone) &&
		(len(forNodes) == 0 && h.Node == "" || len(forNodes) == 1 && h.Node != "" && forNodes[0].Name == h.Node)
}

// Endpoint returns the hint in the form of the API, or nil for the zero Hint. The result belongs to
// the caller and shares no memory.
func (h Hint) Endpoint() *discoveryv1.EndpointHints {
	if h == (Hint{}) {
		return nil
	}
	made := new(oneZone)
	if h.Zone != "" {
		made.setZone(h.Zone)
	}
	if h.Node != "" {
		made.hints.ForNodes = []discoveryv1.ForNode{{Name: h.Node}}
	}
	return &made.hints
}

// oneZone has hints, and the memory of a list of one zone. Nearly all hints name one zone, so this
// saves an allocation.
type oneZone struct {
	hints discoveryv1.EndpointHints
	zone  [1]discoveryv1.ForZone
}

// setZone makes the hints name exactly one zone, and returns them.
func (o *oneZone) setZone(zone string) *discoveryv1.EndpointHints {
	o.zone[0].Name, o.hints.ForZones = zone, o.zone[:]
	return &o.hints
}

// HintOf returns the hint of one endpoint in PreferSameZone and PreferSameNode. In PreferSameZone
// it is the endpoint's zone, in PreferSameNode its zone and its node. It is the zero Hint for an
// endpoint that is not ready (nil ready counts as ready), for a nil endpoint, and in all other
// modes.
//
// ok is false if the endpoint's zone or node is a name that the API server refuses in a hint. That
// name is left out of the hint. An empty name is left out, too, but ok stays true.
//
// The hints that the endpoint already has have no effect. HintOf allocates nothing, and the names
// share the endpoint's memory.
func HintOf(mode string, e *discoveryv1.Endpoint) (hint Hint, ok bool) {
	hint, refused := hintOf(mode, e)
	return hint, refused == Hint{}
}

// hintOf returns the hint, and the names that the API server refuses.
func hintOf(mode string, e *discoveryv1.Endpoint) (hint, refused Hint) {
	if e == nil || (mode != PreferSameZone && mode != PreferSameNode) || !ready(e) {
		return Hint{}, Hint{}
	}
	if hint.Zone = endpoint.Text(e.Zone); hint.Zone != "" && accept.RefuseZone(hint.Zone) != nil {
		hint.Zone, refused.Zone = "", hint.Zone
	}
	if mode == PreferSameZone {
		return hint, refused
	}
	if hint.Node = endpoint.Text(e.NodeName); hint.Node != "" && accept.RefuseNode(hint.Node) != nil {
		hint.Node, refused.Node = "", hint.Node
	}
	return hint, refused
}

func ready(e *discoveryv1.Endpoint) bool { return conditions.Of(e.Conditions).Ready }
