package routing

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints/internal/vote"
)

// Family is the decision about the endpoints of one address type.
type Family struct {
	// AddressType is the address type of the Candidates. With Policy.AnyFamily it is empty.
	AddressType discoveryv1.AddressType
	// Scope says which of the family's endpoints are in Routes.Endpoints.
	Scope Scope
	// Node, Zone and Region say why endpoints of the reader's node, zone or region come first, or
	// why they do not. The reason is empty for places that have no effect:
	//
	//   - With Policy.Local, these are the zone and the region.
	//   - With Policy.Near, these are the places that are not in Policy.Near.
	//   - Otherwise it is the region.
	//
	// If hints for the node are obeyed, Route returns the endpoints of the node, and the zone has
	// no effect on it. The field Zone is then about Failover: it says why the endpoints of the zone
	// are the tier after the node's tier, or why there is no such tier.
	Node, Zone, Region Reason
	// NodeMissing is the index of the first endpoint without a hint if Node is HintMissing, else
	// -1. ZoneMissing is the same for Zone.
	NodeMissing, ZoneMissing int
}

// Scope says which endpoints of a family are used, or are in a Tier.
type Scope string

const (
	// ScopeNode: the ready endpoints of the reader's node, by place or by their hints.
	ScopeNode Scope = "ScopeNode"
	// ScopeZone: the ready endpoints of the reader's zone, by place or by their hints.
	ScopeZone Scope = "ScopeZone"
	// ScopeRegion: the ready endpoints of the reader's region.
	ScopeRegion Scope = "ScopeRegion"
	// ScopeAll: all ready endpoints. In a Tier, the ready endpoints that are in no nearer tier.
	ScopeAll Scope = "ScopeAll"
	// ScopeDraining: no endpoint is ready, so these are the endpoints that serve while they
	// terminate. With Policy.Local, only endpoints on the node.
	ScopeDraining Scope = "ScopeDraining"
	// ScopeUnready: there are no other endpoints, so these are the endpoints that are neither ready
	// nor terminating (Policy.LastResort). With Policy.Local, only endpoints on the node.
	ScopeUnready Scope = "ScopeUnready"
	// ScopeElsewhere: no endpoints, because Policy.Local is set and only other nodes have endpoints
	// that could be used. kube-proxy then drops packets.
	ScopeElsewhere Scope = "ScopeElsewhere"
	// ScopeNone: no endpoints, because no endpoint of the family can be used on any node.
	// kube-proxy then refuses connections.
	ScopeNone Scope = "ScopeNone"
)

// Near reports whether the endpoints are near the reader: in its node, zone or region. A reader
// that wants near endpoints or none takes only the tiers for which Near is true.
func (s Scope) Near() bool { return s == ScopeNode || s == ScopeZone || s == ScopeRegion }

// Reason says why the ready endpoints of a place come first, or why they do not. The place is the
// reader's node, zone or region.
type Reason string

const (
	// Present: the endpoints come first, because they are at the place.
	Present Reason = "Present"
	// HintsObeyed: the endpoints come first. Each voter has a hint for places of this kind, and at
	// least one hint names the place. A voter is a ready endpoint without NoVote.
	HintsObeyed Reason = "HintsObeyed"
	// TooFew: the place has fewer voters than Policy.AtLeast asks for.
	TooFew Reason = "TooFew"
	// NoneThere: the place has no voter that counts. If the node comes first, its voters do not
	// count for the zone. If the node or the zone comes first, its voters do not count for the
	// region.
	NoneThere Reason = "NoneThere"
	// PlaceUnknown: the reader does not know its node, zone or region.
	PlaceUnknown Reason = "PlaceUnknown"
	// HintsIgnored: Policy.IgnoreHints is set.
	HintsIgnored Reason = "HintsIgnored"
	// NoVoter: the family has no voter.
	NoVoter Reason = "NoVoter"
	// NoHints: no voter has a hint of this kind.
	NoHints Reason = "NoHints"
	// HintMissing: some voters have a hint and others have none, for example because their writer
	// has not given hints to all of them yet.
	HintMissing Reason = "HintMissing"
	// NotNamed: each voter has a hint, and none names the place.
	NotNamed Reason = "NotNamed"
)

// familyOf returns the decision of a vote in the form of Family.
func familyOf(v *vote.Vote, d *vote.Decision) Family {
	return Family{
		AddressType: v.Family, Scope: Scope(d.Scope),
		Node: Reason(d.Node), Zone: Reason(d.Zone), Region: Reason(d.Region),
		NodeMissing: d.NodeMissing, ZoneMissing: d.ZoneMissing,
	}
}
