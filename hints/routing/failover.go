package routing

import (
	"cmp"
	"slices"

	"github.com/slicewright/slicewright/hints/internal/vote"
)

// Tier is a group of endpoints that a reader uses together, before it turns to the next tier.
type Tier[E any] struct {
	// Scope says which endpoints these are. A family has each scope at most once, in the order
	// ScopeNode, ScopeZone, ScopeRegion, ScopeAll, ScopeDraining, ScopeUnready.
	Scope Scope
	// Family is the decision about the endpoints' address type. For the reader's node, zone and
	// region, it says why there is such a tier, or why there is none.
	Family Family
	// Endpoints are in the order of the input. The list is never empty, and belongs to the caller.
	Endpoints []E
}

// Failover returns all endpoints that a reader may send traffic to, in tiers: first the endpoints
// that [Route] chooses, then the endpoints to use if these fail, near ones first. The arguments are
// those of Route. No tier is empty. The result is nil if there is no endpoint to use.
//
// Each ready endpoint is in exactly one tier, with two exceptions. With Policy.Local, endpoints on
// other nodes are in no tier. With Policy.AnyFamily, only one endpoint of each target is in a tier.
//
// This call is for a gateway or a mesh that uses the endpoints of its own zone first and all others
// next, whether they have hints or not, and whatever their address family is:
//
//	tiers := routing.Failover(found, dedup.Found.Candidate, at, routing.Policy{Near: routing.Zone, AnyFamily: true})
//
// With a policy that has neither Near nor Local, hints decide which endpoints are near. If hints
// are not obeyed, all ready endpoints are in one tier, and Family says why. With such a policy, the
// table shows the tiers of ready endpoints. Draining endpoints come after them, and then unready
// ones (Policy.LastResort):
//
//	Family.Scope   tiers of ready endpoints
//	ScopeNode      hinted to the reader's node; the zone tier; all others
//	ScopeZone      hinted to the reader's zone; all others
//	ScopeAll       all
//
// The zone tier that follows a node tier has the endpoints with a hint for the reader's zone, and
// the endpoints in the zone (Candidate.Zone) that have no hint for zones.
//
// Without AnyFamily, each address type has its own tiers. The result has them sorted by address
// type: the tiers of IPv4, then the tiers of IPv6.
func Failover[E any](list []E, candidate func(E) Candidate, at Location, policy Policy) []Tier[E] {
	r := read(list, candidate, at, &policy)
	slices.SortStableFunc(r.runs, func(a, b run) int {
		return cmp.Compare(r.families[a.family].Family, r.families[b.family].Family)
	})
	tiers, room := make([]Tier[E], 0, len(vote.Scopes)*len(r.families)), make([]E, 0, len(list))
	for runs := r.runs; len(runs) > 0; {
		v, n := &r.families[runs[0].family], 1
		for n < len(runs) && runs[n].family == runs[0].family {
			n++
		}
		d := v.Decide()
		family := familyOf(v, &d)
		for t, roles := range d.Tiers {
			from := len(room)
			room = move(room, list, r.roles, runs[:n], roles)
			if tier := room[from:len(room):len(room)]; len(tier) > 0 {
				tiers = append(tiers, Tier[E]{Scope: Scope(vote.Scopes[t]), Family: family, Endpoints: tier})
			}
		}
		runs = runs[n:]
	}
	if len(tiers) == 0 {
		return nil
	}
	return tiers
}

// move appends the endpoints that have at least one of the wanted roles. It clears all roles of
// these endpoints, so that no later tier has them.
func move[E any](to, list []E, roles []vote.Role, runs []run, wanted vote.Role) []E {
	for _, part := range runs {
		for i := part.from; i < part.to; i++ {
			if roles[i]&wanted != 0 {
				roles[i], to = 0, append(to, list[i])
			}
		}
	}
	return to
}
