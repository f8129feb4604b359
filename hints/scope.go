package hints

import "fmt"

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

var (
	scopeNames       = [...]string{"Unused", "None", "All", "Zone", "Node", "Draining"}
	routeReasonNames = [...]string{"NotAsked", "HintsObeyed", "HintsIgnored", "NoVoter", "NoHints", "PlaceUnknown",
		"HintMissing", "NotNamed"}
)

// String returns the constant's name without Scope: "All". Unknown values have a number: "Scope(9)".
func (s Scope) String() string {
	if int(s) < len(scopeNames) {
		return scopeNames[s]
	}
	return fmt.Sprintf("Scope(%d)", uint8(s))
}

// MarshalText returns what String does, or an error for an unknown value.
func (s Scope) MarshalText() ([]byte, error) {
	if int(s) >= len(scopeNames) {
		return nil, fmt.Errorf("hints: no scope %d", uint8(s))
	}
	return []byte(scopeNames[s]), nil
}

// UnmarshalText reads what String returns.
func (s *Scope) UnmarshalText(text []byte) error {
	for i, name := range scopeNames {
		if name == string(text) {
			*s = Scope(i)
			return nil
		}
	}
	return fmt.Errorf("hints: unknown scope %q; use one of %q", text, scopeNames)
}

// String returns the constant's name. Unknown values have a number: "RouteReason(9)".
func (r RouteReason) String() string {
	if int(r) < len(routeReasonNames) {
		return routeReasonNames[r]
	}
	return fmt.Sprintf("RouteReason(%d)", uint8(r))
}

// MarshalText returns what String does, or an error for an unknown value.
func (r RouteReason) MarshalText() ([]byte, error) {
	if int(r) >= len(routeReasonNames) {
		return nil, fmt.Errorf("hints: no route reason %d", uint8(r))
	}
	return []byte(routeReasonNames[r]), nil
}

// UnmarshalText reads what String returns.
func (r *RouteReason) UnmarshalText(text []byte) error {
	for i, name := range routeReasonNames {
		if name == string(text) {
			*r = RouteReason(i)
			return nil
		}
	}
	return fmt.Errorf("hints: unknown route reason %q; use one of %q", text, routeReasonNames)
}
