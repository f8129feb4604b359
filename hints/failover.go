package hints

// Tier is endpoints among which a reader need not choose: it uses them all before it turns to the next tier.
type Tier[E any] struct {
	// Scope says which endpoints these are: ScopeNode, ScopeZone, ScopeAll or ScopeDraining. Each occurs at most once, in
	// this order.
	Scope Scope
	// Endpoints are in the order of the input, never empty, and the caller's own.
	Endpoints []E
}

// Failover returns all endpoints that a reader may send traffic to, in tiers: the endpoints that [Route] chooses, then
// those to use when these fail, near ones first. No endpoint is in two tiers, and no tier is empty; nil if there is no
// endpoint to use. Arguments are those of Route.
//
// The tiers are for traffic from inside the cluster. If the policy is Cluster, the first tier is Routes.Cluster:
//
//	Routes.Scope    tiers
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
// With Policy.InternalLocal no traffic may leave the node: the first tier is Routes.Local, and the tiers are node (the
// ready endpoints on the reader's node) and draining (those of the node that serve while they terminate). External and
// ExternalLocal make no difference. For traffic from outside that arrives at the reader's node, call Failover with
// InternalLocal set to what ExternalLocal is.
func Failover[E any](endpoints []E, candidate func(E) Candidate, at Location, policy Policy) []Tier[E] {
	scratch := roleLists.Get().(*[]role)
	defer roleLists.Put(scratch)
	policy = Policy{InternalLocal: policy.InternalLocal, IgnoreHints: policy.IgnoreHints}
	v := newVote(at, policy)
	v.nearby = true
	*scratch = readRoles((*scratch)[:0], endpoints, candidate, &v)

	node, zone, _, _ := v.uses()
	scopes := scopesOf(policy, node, zone)
	var count [ScopeDraining + 1]int // by tier
	total := 0
	for _, r := range *scratch {
		if s := scopes[r]; s != ScopeNone {
			count[s]++
			total++
		}
	}
	if total == 0 {
		return nil
	}
	return fillTiers(endpoints, *scratch, &scopes, &count, total)
}

// tierOrder is the order of tiers.
var tierOrder = [...]Scope{ScopeNode, ScopeZone, ScopeAll, ScopeDraining}

// scopesOf returns the scope of the tier of each combination of roles, ScopeNone for endpoints that are in no tier.
func scopesOf(policy Policy, node, zone HintUse) (scopes [rolesEnd]Scope) {
	for r := range rolesEnd {
		scopes[r] = tierScope(r, policy, node, zone)
	}
	return scopes
}

func tierScope(r role, policy Policy, node, zone HintUse) Scope {
	switch {
	case r&(isReady|isDraining) == 0, policy.InternalLocal && r&isLocal == 0:
		return ScopeNone
	case r&isDraining != 0:
		return ScopeDraining
	case policy.InternalLocal:
		return ScopeNode
	case node == HintsObeyed && r&forNode != 0:
		return ScopeNode
	case node == HintsObeyed && r&inZone != 0, zone == HintsObeyed && r&forZone != 0:
		return ScopeZone
	default:
		return ScopeAll
	}
}

// fillTiers deals the endpoints to their tiers, all in one piece of memory.
func fillTiers[E any](endpoints []E, roles []role, scopes *[rolesEnd]Scope, count *[ScopeDraining + 1]int, total int) []Tier[E] {
	var index [ScopeDraining + 1]int // in tiers, by scope
	tiers, room := make([]Tier[E], 0, len(tierOrder)), make([]E, total)
	for _, s := range tierOrder {
		if n := count[s]; n > 0 {
			index[s] = len(tiers)
			tiers = append(tiers, Tier[E]{Scope: s, Endpoints: room[:0:n]})
			room = room[n:]
		}
	}
	for i, r := range roles {
		if s := scopes[r]; s != ScopeNone {
			t := &tiers[index[s]]
			t.Endpoints = append(t.Endpoints, endpoints[i])
		}
	}
	return tiers
}
