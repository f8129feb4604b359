// Package vote decides which endpoints a reader uses, by their conditions, hints and places.
// Package hints/routing calls it for one reader, and hints/forecast for many.
//
// Candidate, Location, Policy, Scope and Reason mirror types of hints/routing, which documents
// them. Candidate and Location have the same fields in the same order, so that a conversion costs
// nothing.
package vote

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
)

// Candidate is what a vote must know about an endpoint.
type Candidate struct {
	AddressType    discoveryv1.AddressType
	State          conditions.State
	NoVote         bool
	NodeName, Zone string
	Region         string
	ForZones       []discoveryv1.ForZone
	ForNodes       []discoveryv1.ForNode
	TargetRef      *corev1.ObjectReference
}

// Location is where a reader is.
type Location struct {
	NodeName string
	Zone     string
	Region   string
}

// Policy says which endpoints the reader wants.
type Policy struct {
	Local                              bool
	Node, Zone, Region                 bool // Nearness
	AtLeast                            int
	LastResort, AnyFamily, IgnoreHints bool
}

// byPlace reports whether places decide which endpoints are near, and not hints.
func (p *Policy) byPlace() bool { return p.Node || p.Zone || p.Region }

// Scope is a tier, or says that there is none.
type Scope string

// The scopes.
const (
	ScopeNode      Scope = "ScopeNode"
	ScopeZone      Scope = "ScopeZone"
	ScopeRegion    Scope = "ScopeRegion"
	ScopeAll       Scope = "ScopeAll"
	ScopeDraining  Scope = "ScopeDraining"
	ScopeUnready   Scope = "ScopeUnready"
	ScopeElsewhere Scope = "ScopeElsewhere"
	ScopeNone      Scope = "ScopeNone"
)

// Scopes are the tiers of a family, in their order.
var Scopes = [...]Scope{ScopeNode, ScopeZone, ScopeRegion, ScopeAll, ScopeDraining, ScopeUnready}

// The positions in Scopes.
const (
	node = iota
	zone
	region
	all
	draining
	unready
	tiers
)

// Reason says why there is a near tier, or why there is none.
type Reason string

// The reasons.
const (
	Present      Reason = "Present"
	HintsObeyed  Reason = "HintsObeyed"
	TooFew       Reason = "TooFew"
	NoneThere    Reason = "NoneThere"
	PlaceUnknown Reason = "PlaceUnknown"
	HintsIgnored Reason = "HintsIgnored"
	NoVoter      Reason = "NoVoter"
	NoHints      Reason = "NoHints"
	HintMissing  Reason = "HintMissing"
	NotNamed     Reason = "NotNamed"
)
