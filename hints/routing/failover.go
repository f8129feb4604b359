package routing

import (
	"cmp"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints/internal/vote"
)

// Tier is endpoints among which a reader need not choose: it uses them all before it turns to the next tier.
type Tier[E any] struct {
	// AddressType is that of all endpoints of the tier, empty with Policy.AnyFamily. An empty one beside others means that
	// the caller left out some.
	AddressType discoveryv1.AddressType
	// Scope says which endpoints these are: ScopeNode, ScopeZone, ScopeAll or ScopeDraining. Each occurs at most once
	// for each address type, in this order.
	Scope Scope
	// NotNear says why no tier of the address type is near the reader, of its node or zone: why hints are not obeyed or, with
	// Policy.PreferZone, what is missing. It is empty where one is near, and where Policy.InternalLocal is set.
	NotNear HintUse
	// Endpoints are in the order of the input, never empty, and the caller's own.
	Endpoints []E
}

// Failover returns all endpoints that a reader may send traffic to, in tiers: the endpoints that [Route] chooses, then
// those to use when these fail, near ones first. No endpoint is in two tiers, and no tier is empty; nil if there is no
// endpoint to use. Arguments are those of Route.
//
// A gateway or a mesh that wants the endpoints of its own zone first and the others next, with or without hints and whichever
// family an endpoint has, calls it with PreferZone and AnyFamily:
//
//	tiers := routing.Failover(found, dedup.Found.Candidate, at, routing.Policy{PreferZone: true, AnyFamily: true})
//
// Without AnyFamily each address type has tiers of its own, which follow each other in the list: those of IPv4, then those of
// IPv6.
//
// The tiers are for traffic from inside the cluster. If the policy is Cluster, the first tiers of all families together are
// Routes.Cluster:
//
//	Family.Scope    tiers of the family
//	ScopeNode       node (hinted to the reader's node), zone, all, draining
//	ScopeZone       zone (hinted to the reader's zone), all, draining
//	ScopeAll        all ready endpoints, draining
//	ScopeDraining   draining
//
// The zone tier after a node tier has the other ready endpoints with a hint for the reader's zone, and those that have no
// hint for zones and are in that zone (Candidate.Zone). The tier of all has the ready endpoints that are left, and the
// draining tier those that serve while they terminate. Where hints are ignored or cannot be obeyed there is no node and no
// zone tier, because then all ready endpoints have to share the traffic: Tier.NotNear says why. With PreferZone the zone tier
// has the ready endpoints in the reader's zone, and there is no node tier.
//
// With Policy.InternalLocal no traffic may leave the node: the first tiers are Routes.Local, and the tiers are node (the
// ready endpoints on the reader's node) and draining (those of the node that serve while they terminate). External and
// ExternalLocal make no difference. For traffic from outside that arrives at the reader's node, call Failover with
// InternalLocal set to what ExternalLocal is.
func Failover[E any](endpoints []E, candidate func(E) Candidate, at Location, policy Policy) []Tier[E] {
	policy.External = false
	r := read(endpoints, candidate, vote.New(vote.Location(at), vote.Policy(policy)))
	defer r.release()

	tiers, room := make([]Tier[E], 0, len(tierOrder)*len(r.families)), make([]E, 0, len(endpoints))
	slices.SortStableFunc(r.runs, func(a, b run) int { return cmp.Compare(r.families[a.family].Family, r.families[b.family].Family) })
	for runs := r.runs; len(runs) > 0; {
		own := runs[:1]
		for len(own) < len(runs) && runs[len(own)].family == own[0].family {
			own = runs[:len(own)+1]
		}
		runs = runs[len(own):]
		v := &r.families[own[0].family]
		decided := familyOf(v)
		notNear := decided.ZoneHints
		if decided.Scope == ScopeZone {
			notNear = ""
		}
		for n, roles := range tierRoles(v, decided.Scope) {
			from := len(room)
			for _, run := range own {
				for i := run.from; i < run.to; i++ {
					if r.roles[i]&roles != 0 {
						r.roles[i], room = 0, append(room, endpoints[i])
					}
				}
			}
			if tier := room[from:len(room):len(room)]; len(tier) > 0 {
				tiers = append(tiers, Tier[E]{AddressType: v.Family, Scope: tierOrder[n], NotNear: notNear, Endpoints: tier})
			}
		}
	}
	if len(tiers) == 0 {
		return nil
	}
	return tiers
}

// tierOrder is the order of a family's tiers.
var tierOrder = [...]Scope{ScopeNode, ScopeZone, ScopeAll, ScopeDraining}

// tierRoles says who is in which tier, in tierOrder, by the scope that Route chooses. An endpoint is in the first tier of
// which it has a role.
func tierRoles(v *vote.Vote, scope Scope) [len(tierOrder)]vote.Role {
	if v.Policy.InternalLocal {
		return [...]vote.Role{vote.ReadyHere, 0, 0, vote.DrainingHere}
	}
	switch scope {
	case ScopeNode:
		return [...]vote.Role{vote.ForNode, vote.ForZone | vote.InZone, vote.IsReady, vote.IsDraining}
	case ScopeZone:
		return [...]vote.Role{0, vote.ForZone, vote.IsReady, vote.IsDraining}
	default:
		return [...]vote.Role{0, 0, vote.IsReady, vote.IsDraining}
	}
}
