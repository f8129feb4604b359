package vote

// Decision is what a reader does with the endpoints of a family.
type Decision struct {
	// Scope is the first tier that has an endpoint, or ScopeElsewhere or ScopeNone.
	Scope Scope
	// Tiers are the roles of the endpoints in each tier, in the order of Scopes. An endpoint is in
	// the first tier that has one of its roles. First is the position of the tier that Scope names,
	// or len(Tiers) if there is none.
	Tiers [tiers]Role
	First int
	// Node, Zone and Region say why there is a near tier, or why there is none.
	Node, Zone, Region Reason
	// NodeMissing and ZoneMissing are the index of the first voter without a hint if the reason is
	// HintMissing, else -1.
	NodeMissing, ZoneMissing int
}

// Decide returns the decision about the endpoints that were counted.
func (v *Vote) Decide() (d Decision) {
	d.NodeMissing, d.ZoneMissing = -1, -1
	switch {
	case v.policy.Local:
		v.decideLocal(&d)
	case v.places:
		v.decideByPlace(&d)
	default:
		v.decideByHints(&d)
	}
	if !v.policy.Local {
		d.Tiers[all] = IsReady
	}
	d.Tiers[draining], d.Tiers[unready] = IsDraining, IsUnready
	for d.First < tiers && d.Tiers[d.First]&v.seen == 0 {
		d.First++
	}
	switch {
	case d.First < tiers:
		d.Scope = Scopes[d.First]
	case v.seen&Elsewhere != 0:
		d.Scope = ScopeElsewhere
	default:
		d.Scope = ScopeNone
	}
	return d
}

// decideLocal makes a tier of the node's ready endpoints. Endpoints on other nodes were not
// counted.
func (v *Vote) decideLocal(d *Decision) {
	switch d.Tiers[node] = IsReady; {
	case v.at.NodeName == "":
		d.Node = PlaceUnknown
	case v.seen&IsReady == 0:
		d.Node = NoneThere
	default:
		d.Node = Present
	}
}

// decideByPlace makes a tier for each place that the policy asks for. The endpoints of a place that
// has too few voters are left to the next tier.
func (v *Vote) decideByPlace(d *Decision) {
	var taken Role
	tier := func(asked bool, n int, role Role, place string) (reason Reason) {
		if !asked {
			return ""
		}
		if reason = v.enough(v.votersWith(role, taken), place); reason == Present {
			d.Tiers[n] = role
			taken |= role
		}
		return reason
	}
	d.Node = tier(v.policy.Node, node, AtNode, v.at.NodeName)
	d.Zone = tier(v.policy.Zone, zone, AtZone, v.at.Zone)
	d.Region = tier(v.policy.Region, region, AtRegion, v.at.Region)
}

// decideByHints makes a tier of the endpoints for the reader's node or zone, if hints are obeyed.
// If the node has a tier and the zone has enough voters, a tier of the zone follows. It consists of
// the endpoints with a hint for the zone, and of the endpoints in the zone that have no hint for
// any zone.
func (v *Vote) decideByHints(d *Decision) {
	d.Node, d.NodeMissing = v.use(&v.forNode, AtNode, v.at.NodeName)
	if d.Node != HintsObeyed {
		if d.Zone, d.ZoneMissing = v.use(&v.forZone, AtZone, v.at.Zone); d.Zone == HintsObeyed {
			d.Tiers[zone] = AtZone
		}
		return
	}
	d.Tiers[node] = AtNode
	if d.Zone = v.enough(v.votersWith(AtZone|InZone, AtNode), v.at.Zone); d.Zone == Present {
		d.Tiers[zone] = AtZone | InZone
	}
}

// use returns HintsObeyed if the hints of a kind are obeyed, else the reason why they are not. role
// is the role of endpoints whose hint names the reader's node or zone, and place is the name of
// that node or zone. The int is the index of the first voter without a hint if the reason is
// HintMissing, else -1.
func (v *Vote) use(t *support, role Role, place string) (Reason, int) {
	switch {
	case v.policy.IgnoreHints:
		return HintsIgnored, -1
	case v.voters == 0:
		return NoVoter, -1
	case t.hinted == 0:
		return NoHints, -1
	case place == "":
		return PlaceUnknown, -1
	case t.hinted < v.voters:
		return HintMissing, t.missing
	}
	switch reason := v.enough(v.votersWith(role, 0), place); reason {
	case NoneThere:
		return NotNamed, -1
	case Present:
		return HintsObeyed, -1
	default:
		return reason, -1
	}
}

// enough returns Present if n voters at a place make a tier, else the reason why they do not.
func (v *Vote) enough(n int, place string) Reason {
	switch {
	case v.voters == 0:
		return NoVoter
	case place == "":
		return PlaceUnknown
	case n == 0:
		return NoneThere
	case n < v.policy.AtLeast:
		return TooFew
	default:
		return Present
	}
}

// votersWith counts the voters that have at least one of the wanted near roles, and none of the
// taken ones.
func (v *Vote) votersWith(wanted, taken Role) (n int) {
	for i, voters := range v.near {
		if has := nearRole(i); voters > 0 && has&wanted != 0 && has&taken == 0 {
			n += int(voters)
		}
	}
	return n
}

// Used returns the roles of the endpoints that the reader uses.
func (d *Decision) Used() Role {
	if d.First == tiers {
		return 0
	}
	return d.Tiers[d.First]
}

// TierOf returns the position in Scopes of the tier of an endpoint, and whether it is in one.
func (d *Decision) TierOf(r Role) (tier int, in bool) {
	for n, roles := range d.Tiers {
		if r&roles != 0 {
			return n, true
		}
	}
	return 0, false
}
