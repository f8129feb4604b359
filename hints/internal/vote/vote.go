package vote

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// Role is what an endpoint is to the reader, a set. A list of Routes has the endpoints that have one of certain roles. An endpoint
// that is neither ready nor draining has none.
type Role uint8

const (
	IsReady      Role = 1 << iota
	IsDraining        // serves while it terminates
	ReadyHere         // ready, on the reader's node; only if a policy is Local
	DrainingHere      // draining, on the reader's node; only if a policy is Local
	ForNode           // ready, and a hint names the reader's node
	ForZone           // ready, and a hint names the reader's zone; with Policy.PreferZone: in that zone
	InZone            // ready, without a hint for zones, and in the reader's zone; only for Failover
)

// The lists of Routes.
const (
	ClusterList = iota
	LocalList
	AllList
	listCount
)

// Vote counts what the endpoints of one family are to a reader, and what the voters' hints say.
type Vote struct {
	Family discoveryv1.AddressType
	At     Location
	Policy Policy
	// Which roles are asked for: ReadyHere and DrainingHere; ForNode, ForZone and InZone.
	local, hints bool

	Seen       Role // the roles that some endpoint has
	voters     int  // ready endpoints without NoVote
	Node, Zone Support
	Lists      [listCount]Role // which endpoints of the family are in each list of Routes
}

// Support counts the voters' hints of one kind, for nodes or for zones.
type Support struct {
	hinted  int  // voters with such a hint
	Named   bool // some hint names the reader's node or zone
	missing int  // the first voter without such a hint, if there is one
}

// New returns a vote without endpoints, for a reader at a place.
func New(at Location, p Policy) Vote {
	return Vote{At: at, Policy: p, local: p.UsesLocal(), hints: p.UsesCluster() && !p.IgnoreHints && !p.PreferZone}
}

// Take counts the endpoint at an index and returns its roles.
func (v *Vote) Take(c *Candidate, index int) (r Role) {
	here := v.local && c.NodeName == v.At.NodeName && c.NodeName != ""
	switch {
	case c.State.Ready:
		if r = IsReady; here {
			r |= ReadyHere
		}
		if v.hints {
			r |= v.takeHints(c, index)
		}
		if v.Policy.PreferZone && v.Policy.UsesCluster() && c.Zone == v.At.Zone && c.Zone != "" {
			r |= ForZone
		}
	case c.State.ServesWhileTerminating():
		if r = IsDraining; here {
			r |= DrainingHere
		}
	}
	v.Seen |= r
	return r
}

// takeHints counts the hints of a ready endpoint.
func (v *Vote) takeHints(c *Candidate, index int) (r Role) {
	if slices.Contains(c.ForNodes, discoveryv1.ForNode{Name: v.At.NodeName}) {
		r |= ForNode
	}
	if v.At.Zone != "" && slices.Contains(c.ForZones, discoveryv1.ForZone{Name: v.At.Zone}) {
		r |= ForZone
	}
	if !c.NoVote {
		v.Node.add(v.voters, len(c.ForNodes) > 0, r&ForNode != 0, index)
		v.Zone.add(v.voters, len(c.ForZones) > 0, r&ForZone != 0, index)
		v.voters++
	}
	if len(c.ForZones) == 0 && c.Zone == v.At.Zone && c.Zone != "" {
		r |= InZone
	}
	return r
}

// add counts the voter at an index, which follows earlier ones.
func (t *Support) add(earlier int, hinted, named bool, index int) {
	if hinted {
		t.hinted++
	} else if t.hinted == earlier {
		t.missing = index
	}
	t.Named = t.Named || named
}

// use says whether the hints of a kind are obeyed, and if not, why not. place is the reader's node or zone. The index is that of the
// first voter without hint for HintMissing, else -1.
func (v *Vote) use(t *Support, place string) (HintUse, int) {
	switch {
	case v.Policy.IgnoreHints || v.Policy.PreferZone:
		return HintsIgnored, -1
	case v.voters == 0:
		return NoVoter, -1
	case t.hinted == 0:
		return NoHints, -1
	case place == "":
		return PlaceUnknown, -1
	case t.hinted < v.voters:
		return HintMissing, t.missing
	case !t.Named:
		return NotNamed, -1
	default:
		return HintsObeyed, -1
	}
}

// Decide fills in the lists of Routes, and says what was decided.
func (v *Vote) Decide() Family {
	row := Family{NodeMissing: -1, ZoneMissing: -1}
	if v.Seen&(IsReady|IsDraining) == 0 {
		row.Scope = ScopeNone
	}
	if v.Policy.UsesCluster() {
		row.NodeHints, row.NodeMissing = v.use(&v.Node, v.At.NodeName)
		if row.NodeHints != HintsObeyed {
			row.ZoneHints, row.ZoneMissing = v.use(&v.Zone, v.At.Zone)
		}
		row.Scope, v.Lists[ClusterList] = v.scope(row.NodeHints, row.ZoneHints)
		if v.Policy.PreferZone && row.Scope != ScopeZone {
			switch {
			case v.Seen&IsReady == 0:
				row.ZoneHints = NoVoter
			case v.At.Zone == "":
				row.ZoneHints = PlaceUnknown
			default:
				row.ZoneHints = NoneInZone
			}
		}
	}
	if v.local {
		if v.Lists[LocalList] = ReadyHere; v.Seen&ReadyHere == 0 {
			v.Lists[LocalList] = DrainingHere
			row.LocalDraining = v.Seen&DrainingHere != 0
		}
	}
	v.Lists[AllList] = v.Lists[ClusterList] | v.Lists[LocalList]
	return row
}

// scope chooses the endpoints in Routes.Cluster.
func (v *Vote) scope(node, zone HintUse) (Scope, Role) {
	switch {
	case node == HintsObeyed:
		return ScopeNode, ForNode
	case zone == HintsObeyed || v.Policy.PreferZone && v.Seen&ForZone != 0:
		return ScopeZone, ForZone
	case v.Seen&IsReady != 0:
		return ScopeAll, IsReady
	case v.Seen&IsDraining != 0:
		return ScopeDraining, IsDraining
	default:
		return ScopeNone, 0
	}
}
