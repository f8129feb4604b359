package hints

import discoveryv1 "k8s.io/api/discovery/v1"

// Tier is endpoints among which a reader need not choose: it uses them all before it turns to the next tier.
type Tier[E any] struct {
	// AddressType is that of all endpoints of the tier. An empty one beside others means that the caller left out some.
	AddressType discoveryv1.AddressType
	// Scope says which endpoints these are: ScopeNode, ScopeZone, ScopeAll or ScopeDraining. Each occurs at most once
	// for each address type, in this order.
	Scope Scope
	// Endpoints are in the order of the input, never empty, and the caller's own.
	Endpoints []E
}

// Failover returns all endpoints that a reader may send traffic to, in tiers: the endpoints that [Route] chooses, then
// those to use when these fail, near ones first. No endpoint is in two tiers, and no tier is empty; nil if there is no
// endpoint to use. Arguments are those of Route.
//
// Each address type has tiers of its own, which follow each other in the list: those of IPv4, then those of IPv6. A reader
// that balances over both families uses the first tier of each, then the second of each.
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
// zone tier, because then all ready endpoints have to share the traffic.
//
// With Policy.InternalLocal no traffic may leave the node: the first tiers are Routes.Local, and the tiers are node (the
// ready endpoints on the reader's node) and draining (those of the node that serve while they terminate). External and
// ExternalLocal make no difference. For traffic from outside that arrives at the reader's node, call Failover with
// InternalLocal set to what ExternalLocal is.
func Failover[E any](endpoints []E, candidate func(E) Candidate, at Location, policy Policy) []Tier[E] {
	policy = Policy{InternalLocal: policy.InternalLocal, IgnoreHints: policy.IgnoreHints}
	v := newVote(at, policy)
	v.nearby = true
	r := read(endpoints, candidate, v)
	defer r.release()

	total := 0
	for f := range r.families {
		node, zone, _, _ := r.families[f].uses()
		r.tierings = append(r.tierings, newTiering(policy, node, zone))
	}
	for _, m := range r.list {
		p := &r.tierings[m.family]
		if at := p.places[m.role]; at != noTier {
			p.count[at]++
			total++
		}
	}
	if total == 0 {
		return nil
	}
	return fillTiers(endpoints, r, total)
}

// tierOrder is the order of a family's tiers.
var tierOrder = [...]Scope{ScopeNode, ScopeZone, ScopeAll, ScopeDraining}

// The places in tierOrder.
const (
	nodeTier uint8 = iota
	zoneTier
	allTier
	drainingTier
	noTier
)

// tiering is how one family's endpoints are dealt to tiers.
type tiering struct {
	places [rolesEnd]uint8 // of each combination of roles, in tierOrder
	count  [noTier]int     // of each tier
	index  [noTier]int     // of each tier in the result
}

func newTiering(policy Policy, node, zone HintUse) (t tiering) {
	for r := range rolesEnd {
		t.places[r] = tierOf(r, policy, node, zone)
	}
	return t
}

func tierOf(r role, policy Policy, node, zone HintUse) uint8 {
	switch {
	case r&(isReady|isDraining) == 0, policy.InternalLocal && r&isLocal == 0:
		return noTier
	case r&isDraining != 0:
		return drainingTier
	case policy.InternalLocal:
		return nodeTier
	case node == HintsObeyed && r&forNode != 0:
		return nodeTier
	case node == HintsObeyed && r&inZone != 0, zone == HintsObeyed && r&forZone != 0:
		return zoneTier
	default:
		return allTier
	}
}

// fillTiers deals the endpoints to their tiers, all in one piece of memory.
func fillTiers[E any](endpoints []E, r *reading, total int) []Tier[E] {
	tiers, room := make([]Tier[E], 0, len(tierOrder)*len(r.families)), make([]E, total)
	for _, f := range r.order {
		p := &r.tierings[f]
		for at, n := range p.count {
			if n > 0 {
				p.index[at] = len(tiers)
				tiers = append(tiers, Tier[E]{AddressType: r.families[f].family, Scope: tierOrder[at], Endpoints: room[:0:n]})
				room = room[n:]
			}
		}
	}
	for i, m := range r.list {
		p := &r.tierings[m.family]
		if at := p.places[m.role]; at != noTier {
			t := &tiers[p.index[at]]
			t.Endpoints = append(t.Endpoints, endpoints[i])
		}
	}
	return tiers
}
