package hints

// Scope says which endpoints a reader uses for traffic whose policy is Cluster. The zero value is ScopeLocalOnly.
type Scope uint8

const (
	// ScopeLocalOnly: all policies are Local, so that Routes.Cluster is not used.
	ScopeLocalOnly Scope = iota
	// ScopeNone: no endpoint is ready, and none serves while it terminates.
	ScopeNone
	// ScopeAll: all ready endpoints.
	ScopeAll
	// ScopeZone: the ready endpoints with a hint for the reader's zone.
	ScopeZone
	// ScopeNode: the ready endpoints with a hint for the reader's node.
	ScopeNode
	// ScopeDraining: the endpoints that serve while they terminate, because none is ready.
	ScopeDraining
)

func scopeOf(p Policy, cluster role) Scope {
	switch {
	case !p.usesCluster():
		return ScopeLocalOnly
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

// HintUse says whether a reader obeys the hints of one kind, and if not, why not. The zero value is HintsNotRead.
type HintUse uint8

const (
	// HintsNotRead: all policies are Local, or hints for nodes are obeyed, so that hints for zones are not needed.
	HintsNotRead HintUse = iota
	// HintsObeyed: every voter has a hint of this kind, and one names the reader's node or zone.
	HintsObeyed
	// HintsIgnored: Policy.IgnoreHints is set.
	HintsIgnored
	// NoVoter: no endpoint is ready and has a vote.
	NoVoter
	// NoHints: no voter has a hint of this kind.
	NoHints
	// PlaceUnknown: the reader does not know its node or zone.
	PlaceUnknown
	// HintMissing: some voters have a hint and others have none, because their writer has not hinted all of them yet.
	HintMissing
	// NotNamed: every voter has a hint, and none names the reader's node or zone.
	NotNamed
)
