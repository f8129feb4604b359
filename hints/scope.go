package hints

// Scope says which endpoints a reader uses for traffic of policy Cluster. The zero value is ScopeUnused.
type Scope uint8

const (
	// ScopeUnused: no policy is Cluster.
	ScopeUnused Scope = iota
	// ScopeNone: there is nothing to use.
	ScopeNone
	// ScopeAll: all ready endpoints.
	ScopeAll
	// ScopeZone: the ready endpoints with a hint for the reader's zone.
	ScopeZone
	// ScopeNode: the ready endpoints with a hint for the reader's node.
	ScopeNode
	// ScopeDraining: no endpoint is ready, so those that serve while they terminate.
	ScopeDraining
)

func scopeOf(p Policy, cluster role) Scope {
	switch {
	case !p.usesCluster():
		return ScopeUnused
	case cluster == 0:
		return ScopeNone
	case cluster&isDraining != 0:
		return ScopeDraining
	case cluster&forNode != 0:
		return ScopeNode
	case cluster&forZone != 0:
		return ScopeZone
	default:
		return ScopeAll
	}
}

// RouteReason says why hints of one kind were obeyed or not. The zero value is NotAsked.
type RouteReason uint8

const (
	// NotAsked: no policy is Cluster, or, for zones, hints for nodes were obeyed.
	NotAsked RouteReason = iota
	// HintsObeyed: every voter has a hint, and one names the reader's place.
	HintsObeyed
	// HintsIgnored: the policy says so.
	HintsIgnored
	// NoVoter: no endpoint is ready and has a vote.
	NoVoter
	// NoHints: no voter has a hint of this kind.
	NoHints
	// PlaceUnknown: the reader does not know its node or zone.
	PlaceUnknown
	// HintMissing: some voters have a hint and others have none; a change is under way (S22).
	HintMissing
	// NotNamed: every voter has a hint, and none names the reader's place (S22).
	NotNamed
)
