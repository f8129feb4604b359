// Package vote decides which endpoints a reader uses by their conditions, places and hints. Package hints/routing asks it for one
// reader, and hints/forecast for many.
//
// Candidate, Location and Policy are those of hints/routing, which documents them. They have the same fields in the same order, so
// that converting one into the other costs nothing.
package vote

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
)

// Candidate is what a vote must know of an endpoint.
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

// Policy is what a Service says about routing.
type Policy struct {
	InternalLocal bool
	External      bool
	ExternalLocal bool
	IgnoreHints   bool
	PreferZone    bool
	AnyFamily     bool
}

// UsesCluster reports whether some traffic may go to endpoints on any node. Traffic for an external address may also come from
// inside the cluster, where ExternalLocal does not apply to it.
func (p Policy) UsesCluster() bool { return !p.InternalLocal || p.External }

// UsesLocal reports whether some traffic may go to endpoints on the reader's node only.
func (p Policy) UsesLocal() bool { return p.InternalLocal || p.External && p.ExternalLocal }

// Family is what was decided for the endpoints of one address type.
type Family struct {
	Scope                    Scope
	NodeHints, ZoneHints     HintUse
	NodeMissing, ZoneMissing int
	LocalDraining            bool
}

// Scope says which endpoints a reader uses for traffic whose policy is Cluster.
type Scope string

// HintUse says whether a reader obeys the hints of one kind, and if not, why not.
type HintUse string

// The values of Scope and HintUse are those of hints/routing.
const (
	ScopeNone     Scope = "ScopeNone"
	ScopeAll      Scope = "ScopeAll"
	ScopeZone     Scope = "ScopeZone"
	ScopeNode     Scope = "ScopeNode"
	ScopeDraining Scope = "ScopeDraining"

	HintsObeyed  HintUse = "HintsObeyed"
	HintsIgnored HintUse = "HintsIgnored"
	NoVoter      HintUse = "NoVoter"
	NoHints      HintUse = "NoHints"
	PlaceUnknown HintUse = "PlaceUnknown"
	HintMissing  HintUse = "HintMissing"
	NotNamed     HintUse = "NotNamed"
	NoneInZone   HintUse = "NoneInZone"
)
