package routing

import (
	"cmp"
	"slices"

	"github.com/slicewright/slicewright/hints/internal/vote"
)

// Tier is a group of endpoints that a reader uses together, before it turns to the next tier.
type Tier[E any] struct {
	// Scope says which endpoints these are. Each scope occurs at most once in a family, in the order
	// ScopeNode, ScopeZone, ScopeRegion, ScopeAll, ScopeDraining, ScopeUnready.
	Scope Scope
	// Family says what was decided for the endpoints' address type: why near tiers are there, and why
	// others are missing.
	Family Family
	// Endpoints are in the order of the input. The list is never empty, and is the caller's own.
	Endpoints []E
}

// Failover returns all endpoints that a reader may send traffic to, in tiers: first the endpoints that
// [Route] chooses, then those to use if these fail, near ones first. Arguments are those of Route. Each
// ready endpoint is in exactly one tier, with two exceptions: with Policy.Local, endpoints on other nodes
// are in none; with Policy.AnyFamily, each target has one endpoint in the tiers. No tier is empty. The
// result is nil if there is no endpoint to use.
//
// A gateway or a mesh that wants the endpoints of its own zone first and the others next, with or
// without hints and whichever family an endpoint has:
//
//	tiers := routing.Failover(found, dedup.Found.Candidate, at, routing.Policy{Near: routing.Zone, AnyFamily: true})
//
// If hints decide, they make tiers only while they are obeyed. Otherwise all ready endpoints have to
// share the traffic, and Family says why. These are the tiers, after which the draining ones follow:
//
//	Family.Scope   tiers of ready endpoints
//	ScopeNode      hinted to the reader's node; of the zone; all others
//	ScopeZone      hinted to the reader's zone; all others
//	ScopeAll       all
//
// The tier of the zone behind the node's has the endpoints with a hint for the reader's zone, and those that
// have no hint for zones and are in the zone (Candidate.Zone).
//
// Without AnyFamily, each address type has tiers of its own, which follow each other in the list: those
// of IPv4, then those of IPv6.
func Failover[E any](list []E, candidate func(E) Candidate, at Location, policy Policy) []Tier[E] {
	r := read(list, candidate, at, &policy)
	defer r.release()
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

// move appends the endpoints that have one of some roles, and takes all roles from them.
func move[E any](to, list []E, roles []vote.Role, runs []run, some vote.Role) []E {
	for _, run := range runs {
		for i := run.from; i < run.to; i++ {
			if roles[i]&some != 0 {
				roles[i], to = 0, append(to, list[i])
			}
		}
	}
	return to
}
