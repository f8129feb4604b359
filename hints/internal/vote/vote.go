package vote

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// Role is a set of the roles that an endpoint has for the reader, one bit for each. An endpoint
// that the reader can use has exactly one of the roles IsReady, IsDraining and IsUnready.
type Role uint16

const (
	IsReady    Role = 1 << iota
	IsDraining      // serves while it terminates, and is not ready
	IsUnready       // neither ready nor terminating; only with Policy.LastResort

	AtNode   // ready, and on the reader's node: by its place, or by its hints
	AtZone   // ready, and in the reader's zone: by its place, or by its hints
	AtRegion // ready, and in the reader's region, by its place

	Elsewhere // not on the reader's node, while Policy.Local is set
	NotReady  // neither ready nor terminating; only without Policy.LastResort
	Stopped   // terminates, and no longer serves
	Hidden    // another endpoint of its target is used in its place
)

// InZone is the role of a ready endpoint in the reader's zone that has no hint for zones. If the
// zones of both the endpoint and the reader are empty, the endpoint has this role, too, but then
// there is no tier of the zone (PlaceUnknown). InZone has the same bit as AtRegion, so that
// Vote.near needs only three bits: InZone is used only if hints decide, and AtRegion only if places
// decide.
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
	near    [8]int32 // the number of voters with each combination of AtNode, AtZone and AtRegion (nearIndex)
	forNode support
	forZone support
}

// support counts the voters that have hints of one kind, for nodes or for zones.
type support struct {
	hinted  int
	missing int // the index of the first voter without such a hint, if there is one
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
		if r < AtNode { // IsReady, IsDraining or IsUnready: a reader on the endpoint's node could use it
			v.seen |= Elsewhere
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
	case c.State.Serving && c.State.Terminating:
		return IsDraining
	case c.State.Terminating:
		return Stopped
	case lastResort:
		return IsUnready
	default:
		return NotReady
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

// count counts a voter. index is the index of its endpoint.
func (v *Vote) count(c *Candidate, r Role, index int) {
	if v.hints {
		v.forNode.add(v.voters, len(c.ForNodes) > 0, index)
		v.forZone.add(v.voters, len(c.ForZones) > 0, index)
	}
	v.voters++
	v.near[nearIndex(r)]++
}

// nearIndex returns the roles AtNode, AtZone and AtRegion of r as an index of Vote.near. r has no
// higher bits, because only voters are counted.
func nearIndex(r Role) int { return int(r / AtNode) }

// nearRole is the inverse of nearIndex.
func nearRole(index int) Role { return Role(index) * AtNode }

// add counts one more voter. earlier is the number of voters before it.
func (t *support) add(earlier int, hinted bool, index int) {
	if hinted {
		t.hinted++
	} else if t.hinted == earlier { // all earlier voters have a hint, so this is the first without
		t.missing = index
	}
}

// SeenFrom returns the vote on the same endpoints for a reader at another place. The numbers count
// the voters on that reader's node, in its zone and in its region.
func (v Vote) SeenFrom(at Location, atNode, atZone, atRegion int) Vote {
	v.at, v.near = at, [8]int32{}
	for i, voters := range [...]int{atNode, atZone, atRegion} {
		if role := AtNode << i; voters > 0 {
			v.near[nearIndex(role)] = int32(voters)
			v.seen |= role
		}
	}
	return v
}
