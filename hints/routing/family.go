package routing

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints/internal/vote"
)

// Family is what Route decided for the endpoints of one address type.
type Family struct {
	// AddressType is that of the Candidates, empty with Policy.AnyFamily.
	AddressType discoveryv1.AddressType
	// Scope says which part of the ready endpoints is in Routes.Cluster.
	Scope Scope
	// NodeHints and ZoneHints say why Scope is what it is: whether hints for nodes and for zones are obeyed, and if not,
	// why not.
	NodeHints, ZoneHints HintUse
	// NodeMissing and ZoneMissing are the index of the first endpoint without a hint if NodeHints or ZoneHints is
	// HintMissing, else -1.
	NodeMissing, ZoneMissing int
	// LocalDraining reports that the family's endpoints in Routes.Local terminate, because none of the node is ready. Those
	// in Routes.Cluster terminate if Scope is ScopeDraining.
	LocalDraining bool
}

// Scope says which endpoints a reader uses for traffic whose policy is Cluster. It is empty if all policies are Local, so
// that no endpoint is in Routes.Cluster, and some endpoint is ready or serves while it terminates.
type Scope string

const (
	// ScopeNone: no endpoint of the family is ready, and none serves while it terminates, on whatever node and whatever the
	// policies are. A reader then refuses connections; with any other Scope it drops those for which it may use none.
	ScopeNone Scope = "ScopeNone"
	// ScopeAll: all ready endpoints.
	ScopeAll Scope = "ScopeAll"
	// ScopeZone: the ready endpoints with a hint for the reader's zone.
	ScopeZone Scope = "ScopeZone"
	// ScopeNode: the ready endpoints with a hint for the reader's node.
	ScopeNode Scope = "ScopeNode"
	// ScopeDraining: the endpoints that serve while they terminate, because none is ready.
	ScopeDraining Scope = "ScopeDraining"
)

// HintUse says whether a reader obeys the hints of one kind, and if not, why not. It is empty if
// the hints are not read, because all policies are Local, or hints for nodes are obeyed and those for zones are not needed.
type HintUse string

const (
	// HintsObeyed: every voter has a hint of this kind, and one names the reader's node or zone.
	HintsObeyed HintUse = "HintsObeyed"
	// HintsIgnored: Policy.IgnoreHints is set, or PreferZone and the reader's own zone has ready endpoints.
	HintsIgnored HintUse = "HintsIgnored"
	// NoVoter: no endpoint is ready and has a vote.
	NoVoter HintUse = "NoVoter"
	// NoHints: no voter has a hint of this kind.
	NoHints HintUse = "NoHints"
	// PlaceUnknown: the reader does not know its node or zone.
	PlaceUnknown HintUse = "PlaceUnknown"
	// HintMissing: some voters have a hint and others have none, because their writer has not hinted all of them yet.
	HintMissing HintUse = "HintMissing"
	// NotNamed: every voter has a hint, and none names the reader's node or zone.
	NotNamed HintUse = "NotNamed"
	// NoneInZone: Policy.PreferZone is set, and no ready endpoint is in the reader's zone.
	NoneInZone HintUse = "NoneInZone"
)

// familyOf is what a vote decided.
func familyOf(v *vote.Vote) Family {
	f := v.Decide()
	return Family{
		AddressType: v.Family, Scope: Scope(f.Scope), NodeHints: HintUse(f.NodeHints), ZoneHints: HintUse(f.ZoneHints),
		NodeMissing: f.NodeMissing, ZoneMissing: f.ZoneMissing, LocalDraining: f.LocalDraining,
	}
}
