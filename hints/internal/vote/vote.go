package vote

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// Role is a set of what an endpoint is to the reader. An endpoint that the reader can use has
// exactly one of the roles IsReady, IsDraining and IsUnready.
type Role uint16

const (
	IsReady    Role = 1 << iota
	IsDraining      // serves while it terminates, and is not ready
	IsUnready       // neither ready nor terminating; only with Policy.LastResort

	AtNode   // ready, and on the reader's node: by its place, or by its hints
	AtZone   // ready, and in the reader's zone, likewise
	AtRegion // ready, and in the reader's region, by its place

	Elsewhere // not on the reader's node, while Policy.Local is set
	Idle      // neither ready nor terminating; only without Policy.LastResort
	Stopped   // terminates, and serves no longer
	Hidden    // another endpoint of its target is used in its place
)

// InZone is the role of a ready endpoint in the reader's zone that has no hint for zones. It has
// the same bit as AtRegion: InZone exists only if hints decide, and AtRegion only if places decide.
const InZone = AtRegion

// Vote counts the roles of the endpoints of one family, and the hints of its voters. A voter is a
// ready endpoint without NoVote.
type Vote struct {
	Family discoveryv1.AddressType

	at      Location
	policy  Policy
	places  bool // places decide which endpoints are near
	hints   bool // hints decide which endpoints are near
	seen    Role // the roles that some endpoint has
	voters  int
	near    [8]int // the voters that have each combination of AtNode, AtZone and AtRegion
	forNode support
	forZone support
}

// support counts the voters that have hints of one kind, for nodes or for zones.
type support struct {
	hinted  int
	missing int // the first voter without such a hint, if there is one
}

// New returns a vote without endpoints, for a reader at a place.
func New(at Location, p Policy) Vote {
	places := !p.Local && p.byPlace()
	return Vote{at: at, policy: p, places: places, hints: !p.Local && !places && !p.IgnoreHints}
}

// Take counts the endpoint at an index and returns its roles.
func (v *Vote) Take(c *Candidate, index int) Role {
	r := StateOf(c, v.policy.LastResort)
	if v.policy.Local && !c.onNode(&v.at) {
		if r < AtNode {
			v.seen |= Elsewhere // it could be used there
		}
		return Elsewhere
	}
	if r == IsReady {
		switch {
		case v.hints:
			r |= v.hintsOf(c)
		case v.places:
			r |= c.near(&v.at)
		}
		if !c.NoVote {
			v.count(c, r, index)
		}
	}
	v.seen |= r
	return r
}

// StateOf returns the role of an endpoint by its conditions alone.
func StateOf(c *Candidate, lastResort bool) Role {
	switch {
	case c.State.Ready:
		return IsReady
	case c.State.ServesWhileTerminating():
		return IsDraining
	case c.State.Terminating:
		return Stopped
	case lastResort:
		return IsUnready
	default:
		return Idle
	}
}

// hintsOf returns the roles that a ready endpoint has by its hints.
func (v *Vote) hintsOf(c *Candidate) (r Role) {
	if slices.Contains(c.ForNodes, discoveryv1.ForNode{Name: v.at.NodeName}) {
		r |= AtNode
	}
	if len(c.ForZones) == 0 {
		if c.Zone == v.at.Zone {
			r |= InZone
		}
	} else if slices.Contains(c.ForZones, discoveryv1.ForZone{Name: v.at.Zone}) {
		r |= AtZone
	}
	return r
}

// count counts a voter. index is that of its endpoint.
func (v *Vote) count(c *Candidate, r Role, index int) {
	if v.hints {
		v.forNode.add(v.voters, len(c.ForNodes) > 0, index)
		v.forZone.add(v.voters, len(c.ForZones) > 0, index)
	}
	v.voters++
	v.near[r/AtNode]++
}

// add counts one voter more. earlier is the number of voters before it.
func (t *support) add(earlier int, hinted bool, index int) {
	if hinted {
		t.hinted++
	} else if t.hinted == earlier {
		t.missing = index
	}
}

// SeenFrom returns the vote on the same endpoints for a reader at another place. The numbers are
// those of the voters on its node, in its zone and in its region.
func (v Vote) SeenFrom(at Location, atNode, atZone, atRegion int) Vote {
	v.at, v.near = at, [8]int{}
	for i, voters := range [...]int{atNode, atZone, atRegion} {
		if role := AtNode << i; voters > 0 {
			v.near[role/AtNode] = voters
			v.seen |= role
		}
	}
	return v
}
