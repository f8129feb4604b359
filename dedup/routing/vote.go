package routing

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// role is a set of the roles that an endpoint has for the reader, one bit for each. An endpoint
// that the reader can use has exactly one of the roles isReady, isDraining and isUnready.
type role uint16

const (
	isReady    role = 1 << iota
	isDraining      // serves while it terminates, and is not ready
	isUnready       // neither ready nor terminating; only with Policy.LastResort

	atNode   // ready, and on the reader's node: by its place, or by its hints
	atZone   // ready, and in the reader's zone: by its place, or by its hints
	atRegion // ready, and in the reader's region, by its place

	elsewhere // not on the reader's node, while Policy.Local is set
	notReady  // neither ready nor terminating; only without Policy.LastResort
	stopped   // terminates, and no longer serves
	hidden    // another endpoint of its target is used in its place
)

// inZone is the role of a ready endpoint in the reader's zone that has no hint for zones. It has
// the same bit as atRegion, so that vote.near needs only three bits: inZone is used only if hints
// decide, and atRegion only if places decide.
const inZone = atRegion

// vote counts the roles of the endpoints of one family, and the hints of the ready ones.
type vote struct {
	at      Location
	policy  *Policy
	places  bool // places decide which endpoints are near
	hints   bool // hints decide which endpoints are near
	seen    role // the roles that some endpoint has
	ready   int
	near    [8]int32 // the number of ready endpoints with each combination of atNode, atZone and atRegion
	forNode support
	forZone support
}

// support counts the ready endpoints that have hints of one kind, for nodes or for zones.
type support struct {
	hinted  int
	missing int // the index of the first ready endpoint without such a hint, if there is one
}

func newVote(at Location, p *Policy) vote {
	places := !p.Local && p.byPlace()
	return vote{at: at, policy: p, places: places, hints: !p.Local && !places && !p.IgnoreHints}
}

// take counts the endpoint at an index and returns its roles.
func (v *vote) take(e *dedup.Endpoint, index int) role {
	r := stateOf(e, v.policy.LastResort)
	if v.policy.Local && !v.at.onNode(e) {
		if r < atNode { // a reader on the endpoint's node could use it
			v.seen |= elsewhere
		}
		return elsewhere
	}
	if r == isReady {
		switch {
		case v.hints:
			r |= v.hintsOf(e, index)
		case v.places:
			r |= v.at.near(e)
		}
		v.ready++
		v.near[nearIndex(r)]++
	}
	v.seen |= r
	return r
}

// stateOf returns the role of an endpoint by its conditions alone.
func stateOf(e *dedup.Endpoint, lastResort bool) role {
	switch c := e.Conditions; {
	case c.Ready:
		return isReady
	case c.Serving && c.Terminating:
		return isDraining
	case c.Terminating:
		return stopped
	case lastResort:
		return isUnready
	default:
		return notReady
	}
}

// hintsOf counts the hints of a ready endpoint, and returns the roles that it has by them.
func (v *vote) hintsOf(e *dedup.Endpoint, index int) (r role) {
	hints := endpoint.HintsOf(e.Hints)
	v.forNode.add(v.ready, len(hints.ForNodes) > 0, index)
	v.forZone.add(v.ready, len(hints.ForZones) > 0, index)
	if slices.Contains(hints.ForNodes, discoveryv1.ForNode{Name: v.at.NodeName}) {
		r |= atNode
	}
	if len(hints.ForZones) == 0 {
		if e.Zone == v.at.Zone {
			r |= inZone
		}
	} else if slices.Contains(hints.ForZones, discoveryv1.ForZone{Name: v.at.Zone}) {
		r |= atZone
	}
	return r
}

// add counts one more ready endpoint. earlier is the number of those before it.
func (t *support) add(earlier int, hinted bool, index int) {
	if hinted {
		t.hinted++
	} else if t.hinted == earlier { // all earlier ones have a hint, so this is the first without
		t.missing = index
	}
}

// nearIndex returns the roles atNode, atZone and atRegion of a ready endpoint as an index of
// vote.near. nearRole is its inverse.
func nearIndex(r role) int { return int(r / atNode) }

func nearRole(index int) role { return role(index) * atNode }

func (at *Location) onNode(e *dedup.Endpoint) bool {
	return e.NodeName != "" && e.NodeName == at.NodeName
}

// near returns the places that an endpoint and the reader share. If the zone of the endpoint or of
// the reader is not known, an endpoint on the reader's node counts as being in the reader's zone.
// If the region of one of them is not known, an endpoint in the reader's zone counts as being in
// the reader's region.
func (at *Location) near(e *dedup.Endpoint) (r role) {
	inside := at.onNode(e)
	if inside {
		r |= atNode
	}
	if e.Zone != "" && at.Zone != "" {
		inside = e.Zone == at.Zone
	}
	if inside {
		r |= atZone
	}
	if e.Region != "" && at.Region != "" {
		inside = e.Region == at.Region
	}
	if inside {
		r |= atRegion
	}
	return r
}
