package routing

// decision is what a reader does with the endpoints of a family.
type decision struct {
	// tiers are the roles of the endpoints in each tier. An endpoint is in the first tier that has
	// one of its roles. first is the first tier that has an endpoint, or tiers if there is none.
	tiers [tiers]role
	first int
	// near says for the node, the zone and the region why endpoints of this place come first, or
	// why they do not. It is empty for places that have no effect.
	near [3]standing
	// missing are, for the node and the zone, the index of the first ready endpoint without a hint
	// if the standing is hintMissing.
	missing [3]int
}

// The tiers of a family, in their order.
const (
	node = iota
	zone
	region
	everywhere
	draining
	unready
	tiers
)

// places are the places of the tiers.
var places = [tiers]Place{Node, Zone, Region}

// standing says why the ready endpoints of a place come first, or why they do not.
type standing string

const (
	present      standing = "are there"
	hintsObeyed  standing = "are hinted"
	tooFew       standing = "has too few ready endpoints"
	noneThere    standing = "has no ready endpoint"
	placeUnknown standing = "is not known"
	noneReady    standing = "no endpoint is ready"
	noHints      standing = "there are no hints"
	hintMissing  standing = "an endpoint has no hint"
	notNamed     standing = "no hint names it"
)

// decide returns the decision about the endpoints that were counted.
func (v *vote) decide() (d decision) {
	switch {
	case v.policy.Local:
		d.tiers[node] = isReady // endpoints on other nodes were not counted
	case v.places:
		v.decideByPlace(&d)
	case v.hints:
		v.decideByHints(&d)
	}
	if !v.policy.Local {
		d.tiers[everywhere] = isReady
	}
	d.tiers[draining] = isDraining
	d.tiers[unready] = isUnready
	for d.first < tiers && d.tiers[d.first]&v.seen == 0 {
		d.first++
	}
	return d
}

// decideByPlace makes a tier for each place that the policy asks for. The endpoints of a place that
// has too few ready ones are left to the next tier.
func (v *vote) decideByPlace(d *decision) {
	var taken role
	for i, place := range [...]string{v.at.NodeName, v.at.Zone, v.at.Region} {
		if !v.policy.prefers(places[i]) {
			continue
		}
		has := atNode << i
		if d.near[i] = v.enough(v.readyWith(has, taken), place); d.near[i] == present {
			d.tiers[i] = has
			taken |= has
		}
	}
}

// decideByHints makes a tier of the endpoints for the reader's node or zone, if hints are obeyed.
// If the node has a tier and the zone has enough ready endpoints, a tier of the zone follows. It
// consists of the endpoints with a hint for the zone, and of the endpoints in the zone that have no
// hint for any zone.
func (v *vote) decideByHints(d *decision) {
	d.missing = [3]int{v.forNode.missing, v.forZone.missing}
	if d.near[node] = v.use(&v.forNode, atNode, v.at.NodeName); d.near[node] != hintsObeyed {
		if d.near[zone] = v.use(&v.forZone, atZone, v.at.Zone); d.near[zone] == hintsObeyed {
			d.tiers[zone] = atZone
		}
		return
	}
	d.tiers[node] = atNode
	if d.near[zone] = v.enough(v.readyWith(atZone|inZone, atNode), v.at.Zone); d.near[zone] == present {
		d.tiers[zone] = atZone | inZone
	}
}

// use returns hintsObeyed if the hints of a kind are obeyed, else why they are not. has is the role
// of endpoints whose hint names the reader's node or zone, and place is the name of that node or
// zone.
func (v *vote) use(t *support, has role, place string) standing {
	switch {
	case v.ready == 0:
		return noneReady
	case t.hinted == 0:
		return noHints
	case place == "":
		return placeUnknown
	case t.hinted < v.ready:
		return hintMissing
	}
	switch s := v.enough(v.readyWith(has, 0), place); s {
	case noneThere:
		return notNamed
	case present:
		return hintsObeyed
	default:
		return s
	}
}

// enough returns present if n ready endpoints at a place make a tier, else why they do not.
func (v *vote) enough(n int, place string) standing {
	switch {
	case v.ready == 0:
		return noneReady
	case place == "":
		return placeUnknown
	case n == 0:
		return noneThere
	case n < v.policy.AtLeast:
		return tooFew
	default:
		return present
	}
}

// readyWith counts the ready endpoints that have at least one of the wanted near roles, and none of
// the taken ones.
func (v *vote) readyWith(wanted, taken role) (n int) {
	for i, count := range v.near {
		if has := nearRole(i); count > 0 && has&wanted != 0 && has&taken == 0 {
			n += int(count)
		}
	}
	return n
}

// tierOf returns the tier of an endpoint, and whether it is in one.
func (d *decision) tierOf(r role) (tier int, in bool) {
	for n, roles := range d.tiers {
		if r&roles != 0 {
			return n, true
		}
	}
	return 0, false
}
