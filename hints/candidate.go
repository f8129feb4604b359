package hints

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
)

// Candidate is what Route must know of an endpoint.
type Candidate struct {
	State    conditions.State
	NodeName string // empty if not known
	// ForZones and ForNodes are the endpoint's hints, in any order; nil and empty: none. They are only read.
	ForZones []discoveryv1.ForZone
	ForNodes []discoveryv1.ForNode
	// NoVote: the endpoint's hints count neither for nor against the use of hints, because the reader knows better than
	// its readiness: it fails health checks, or it has just started and its hint is still to come (cilium#45642,
	// cilium#47960). It is routed to like any other.
	NoVote bool
}

// CandidateOf reads an endpoint of the API. nil conditions mean what the API says (package conditions); the lists share
// the endpoint's memory. It allocates nothing.
func CandidateOf(e *discoveryv1.Endpoint) Candidate {
	if e == nil {
		return Candidate{}
	}
	c := Candidate{State: conditions.Of(e.Conditions)}
	if e.NodeName != nil {
		c.NodeName = *e.NodeName
	}
	if e.Hints != nil {
		c.ForZones, c.ForNodes = e.Hints.ForZones, e.Hints.ForNodes
	}
	return c
}

// Location is where a reader is.
type Location struct {
	NodeName string // empty: on no node, such as outside the cluster
	Zone     string // empty: not known
}
