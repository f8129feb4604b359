package routing

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints/internal/vote"
)

// Family is what was decided for the endpoints of one address type.
type Family struct {
	// AddressType is that of the Candidates, empty with Policy.AnyFamily.
	AddressType discoveryv1.AddressType
	// Scope says which of the family's endpoints are in Routes.Endpoints.
	Scope Scope
	// Node, Zone and Region say why endpoints at the reader's node, zone or region come first, or why
	// they do not. A place that makes no difference has "": with Local, all but the node; with Near,
	// those that are not in it; otherwise the region.
	Node, Zone, Region Reason
	// NodeMissing and ZoneMissing are the index of the first endpoint without a hint if Node or Zone is
	// HintMissing, else -1.
	NodeMissing, ZoneMissing int
}

// Scope says which endpoints of a family are used, or in a Tier.
type Scope string

const (
	// ScopeNode: the ready endpoints of the reader's node, by place or by their hints.
	ScopeNode Scope = "ScopeNode"
	// ScopeZone: the ready endpoints of the reader's zone, by place or by their hints.
	ScopeZone Scope = "ScopeZone"
	// ScopeRegion: the ready endpoints of the reader's region.
	ScopeRegion Scope = "ScopeRegion"
	// ScopeAll: all ready endpoints. In a Tier, those that are in no nearer one.
	ScopeAll Scope = "ScopeAll"
	// ScopeDraining: the endpoints that serve while they terminate, because none is ready. With
	// Policy.Local, those on the node.
	ScopeDraining Scope = "ScopeDraining"
	// ScopeUnready: the endpoints that are neither ready nor terminating, because there is no other
	// (Policy.LastResort). With Policy.Local, those on the node.
	ScopeUnready Scope = "ScopeUnready"
	// ScopeElsewhere: none, because Policy.Local is set and only other nodes have endpoints that could
	// be used. kube-proxy drops packets then.
	ScopeElsewhere Scope = "ScopeElsewhere"
	// ScopeNone: none, because no endpoint of the family can be used on any node. kube-proxy refuses
	// connections then.
	ScopeNone Scope = "ScopeNone"
)

// Near reports whether the endpoints are near the reader: in its node, zone or region. A reader that
// uses near endpoints or none takes only the tiers for which it is true.
func (s Scope) Near() bool { return s == ScopeNode || s == ScopeZone || s == ScopeRegion }

// Reason says why the ready endpoints of a place, the reader's node, zone or region, come first, or why
// they do not.
type Reason string

const (
	// Present: they come first, because they are there.
	Present Reason = "Present"
	// HintsObeyed: they come first. Every voter has a hint for places of this kind, and at least one hint
	// names the place. A voter is a ready endpoint without NoVote.
	HintsObeyed Reason = "HintsObeyed"
	// TooFew: fewer voters are there than Policy.AtLeast asks for.
	TooFew Reason = "TooFew"
	// NoneThere: no voter is there, apart from those that a smaller place has taken.
	NoneThere Reason = "NoneThere"
	// PlaceUnknown: the reader does not know its node, zone or region.
	PlaceUnknown Reason = "PlaceUnknown"
	// HintsIgnored: Policy.IgnoreHints is set.
	HintsIgnored Reason = "HintsIgnored"
	// NoVoter: no endpoint is ready and has a vote.
	NoVoter Reason = "NoVoter"
	// NoHints: no voter has a hint of this kind.
	NoHints Reason = "NoHints"
	// HintMissing: some voters have a hint and others have none, because their writer has not hinted all
	// of them yet.
	HintMissing Reason = "HintMissing"
	// NotNamed: every voter has a hint, and none names the place.
	NotNamed Reason = "NotNamed"
)

// familyOf returns what a vote decided.
func familyOf(v *vote.Vote, d *vote.Decision) Family {
	return Family{
		AddressType: v.Family, Scope: Scope(d.Scope),
		Node: Reason(d.Node), Zone: Reason(d.Zone), Region: Reason(d.Region),
		NodeMissing: d.NodeMissing, ZoneMissing: d.ZoneMissing,
	}
}
