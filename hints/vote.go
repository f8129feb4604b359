package hints

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// role is what an endpoint is to the reader, a set. A list of Routes has the endpoints that have one of certain roles. An endpoint
// that is neither ready nor draining has none.
type role uint8

const (
	isReady      role = 1 << iota
	isDraining        // serves while it terminates
	readyHere         // ready, on the reader's node; only if a policy is Local
	drainingHere      // draining, on the reader's node; only if a policy is Local
	forNode           // ready, and a hint names the reader's node
	forZone           // ready, and a hint names the reader's zone; with Policy.PreferZone: in that zone
	inZone            // ready, without a hint for zones, and in the reader's zone; only for Failover
)

// The lists of Routes.
const (
	clusterList = iota
	localList
	allList
	listCount
)

// vote counts what the endpoints of one family are to a reader, and what the voters' hints say.
type vote struct {
	family discoveryv1.AddressType
	at     Location
	policy Policy
	// Which roles are asked for: readyHere and drainingHere; forNode, forZone and inZone.
	local, hints bool

	seen       role // the roles that some endpoint has
	voters     int  // ready endpoints without NoVote
	node, zone support
	lists      [listCount]role // which endpoints of the family are in each list of Routes
}

// support counts the voters' hints of one kind, for nodes or for zones.
type support struct {
	hinted  int  // voters with such a hint
	named   bool // some hint names the reader's node or zone
	missing int  // the first voter without such a hint, if there is one
}

func newVote(at Location, p Policy) vote {
	return vote{at: at, policy: p, local: p.usesLocal(), hints: p.usesCluster() && !p.IgnoreHints && !p.PreferZone}
}

// take counts the endpoint at an index and returns its roles.
func (v *vote) take(c *Candidate, index int) (r role) {
	here := v.local && c.NodeName == v.at.NodeName && c.NodeName != ""
	switch {
	case c.State.Ready:
		if r = isReady; here {
			r |= readyHere
		}
		if v.hints {
			r |= v.takeHints(c, index)
		}
		if v.policy.PreferZone && v.policy.usesCluster() && c.Zone == v.at.Zone && c.Zone != "" {
			r |= forZone
		}
	case c.State.ServesWhileTerminating():
		if r = isDraining; here {
			r |= drainingHere
		}
	}
	v.seen |= r
	return r
}

// takeHints counts the hints of a ready endpoint.
func (v *vote) takeHints(c *Candidate, index int) (r role) {
	if slices.Contains(c.ForNodes, discoveryv1.ForNode{Name: v.at.NodeName}) {
		r |= forNode
	}
	if v.at.Zone != "" && slices.Contains(c.ForZones, discoveryv1.ForZone{Name: v.at.Zone}) {
		r |= forZone
	}
	if !c.NoVote {
		v.node.add(v.voters, len(c.ForNodes) > 0, r&forNode != 0, index)
		v.zone.add(v.voters, len(c.ForZones) > 0, r&forZone != 0, index)
		v.voters++
	}
	if len(c.ForZones) == 0 && c.Zone == v.at.Zone && c.Zone != "" {
		r |= inZone
	}
	return r
}

// add counts the voter at an index, which follows earlier ones.
func (t *support) add(earlier int, hinted, named bool, index int) {
	if hinted {
		t.hinted++
	} else if t.hinted == earlier {
		t.missing = index
	}
	t.named = t.named || named
}

// use says whether the hints of a kind are obeyed, and if not, why not. place is the reader's node or zone. The index is that of the
// first voter without hint for HintMissing, else -1.
func (v *vote) use(t *support, place string) (HintUse, int) {
	switch {
	case v.policy.IgnoreHints || v.policy.PreferZone:
		return HintsIgnored, -1
	case v.voters == 0:
		return NoVoter, -1
	case t.hinted == 0:
		return NoHints, -1
	case place == "":
		return PlaceUnknown, -1
	case t.hinted < v.voters:
		return HintMissing, t.missing
	case !t.named:
		return NotNamed, -1
	default:
		return HintsObeyed, -1
	}
}

// decide fills in the lists of Routes, and says what was decided.
func (v *vote) decide() Family {
	row := Family{AddressType: v.family, NodeMissing: -1, ZoneMissing: -1}
	if v.seen&(isReady|isDraining) == 0 {
		row.Scope = ScopeNone
	}
	if v.policy.usesCluster() {
		row.NodeHints, row.NodeMissing = v.use(&v.node, v.at.NodeName)
		if row.NodeHints != HintsObeyed {
			row.ZoneHints, row.ZoneMissing = v.use(&v.zone, v.at.Zone)
		}
		row.Scope, v.lists[clusterList] = v.scope(row.NodeHints, row.ZoneHints)
		if v.policy.PreferZone && row.Scope != ScopeZone {
			switch {
			case v.seen&isReady == 0:
				row.ZoneHints = NoVoter
			case v.at.Zone == "":
				row.ZoneHints = PlaceUnknown
			default:
				row.ZoneHints = NoneInZone
			}
		}
	}
	if v.local {
		if v.lists[localList] = readyHere; v.seen&readyHere == 0 {
			v.lists[localList] = drainingHere
			row.LocalDraining = v.seen&drainingHere != 0
		}
	}
	v.lists[allList] = v.lists[clusterList] | v.lists[localList]
	return row
}

// scope chooses the endpoints in Routes.Cluster.
func (v *vote) scope(node, zone HintUse) (Scope, role) {
	switch {
	case node == HintsObeyed:
		return ScopeNode, forNode
	case zone == HintsObeyed || v.policy.PreferZone && v.seen&forZone != 0:
		return ScopeZone, forZone
	case v.seen&isReady != 0:
		return ScopeAll, isReady
	case v.seen&isDraining != 0:
		return ScopeDraining, isDraining
	default:
		return ScopeNone, 0
	}
}
