package hints

// role is what an endpoint is to a reader.
type role uint8

const (
	isReady    role = 1 << iota
	isDraining      // serves while it terminates
	isLocal         // on the reader's node
	forNode         // a hint names the reader's node
	forZone         // a hint names the reader's zone

	rolesEnd
)

// plays reports whether an endpoint has all the roles that are asked for. Nobody plays none.
func (r role) plays(asked role) bool { return asked != 0 && r&asked == asked }

// vote counts what endpoints are to a reader, and what the voters' hints say.
type vote struct {
	at     Location
	count  [rolesEnd]int // endpoints by their roles
	voters int
	node   support
	zone   support
}

// support is how the voters stand to one kind of hint.
type support struct {
	hinted  int // have one
	named   int // have one for the reader
	missing int // the first that has none, -1 if all have
}

func newVote(at Location) vote {
	return vote{at: at, node: support{missing: -1}, zone: support{missing: -1}}
}

// take counts the endpoint at an index and returns its roles.
func (v *vote) take(c *Candidate, index int) role {
	var r role
	switch {
	case c.State.Ready:
		r |= isReady
	case c.State.ServesWhileTerminating():
		r |= isDraining
	}
	if c.NodeName == v.at.NodeName && c.NodeName != "" {
		r |= isLocal
	}
	for i := range c.ForNodes {
		if c.ForNodes[i].Name == v.at.NodeName {
			r |= forNode
		}
	}
	for i := range c.ForZones {
		if c.ForZones[i].Name == v.at.Zone {
			r |= forZone
		}
	}
	v.count[r]++
	if r&isReady != 0 && !c.NoVote {
		v.voters++
		v.node.add(len(c.ForNodes) > 0, r&forNode != 0, index)
		v.zone.add(len(c.ForZones) > 0, r&forZone != 0, index)
	}
	return r
}

func (t *support) add(hinted, named bool, index int) {
	if hinted {
		t.hinted++
	} else if t.missing < 0 {
		t.missing = index
	}
	if named {
		t.named++
	}
}

// number counts the endpoints that play the roles asked for.
func (v *vote) number(asked role) int { return v.either(asked, asked) }

// either counts the endpoints that play the roles of one or of the other.
func (v *vote) either(one, other role) (n int) {
	for r, count := range v.count {
		if role(r).plays(one) || role(r).plays(other) {
			n += count
		}
	}
	return n
}

// reasons says whether the hints for nodes and for zones are obeyed, and else why not, and which endpoint has none.
func (v *vote) reasons(p Policy) (node, zone HintUse, nodeMissing, zoneMissing int) {
	if !p.usesCluster() {
		return HintsNotRead, HintsNotRead, -1, -1
	}
	node, nodeMissing = v.reason(&v.node, v.at.NodeName, p)
	if node == HintsObeyed {
		return node, HintsNotRead, -1, -1
	}
	zone, zoneMissing = v.reason(&v.zone, v.at.Zone, p)
	return node, zone, nodeMissing, zoneMissing
}

func (v *vote) reason(t *support, place string, p Policy) (HintUse, int) {
	switch {
	case p.IgnoreHints:
		return HintsIgnored, -1
	case v.voters == 0:
		return NoVoter, -1
	case t.hinted == 0:
		return NoHints, -1
	case place == "":
		return PlaceUnknown, -1
	case t.hinted < v.voters:
		return HintMissing, t.missing
	case t.named == 0:
		return NotNamed, -1
	default:
		return HintsObeyed, -1
	}
}

// chosen returns the roles that make an endpoint part of Cluster, and of Local; zero where no endpoint is.
func (v *vote) chosen(p Policy, node, zone HintUse) (cluster, local role) {
	if p.usesCluster() {
		switch {
		case node == HintsObeyed:
			cluster = isReady | forNode
		case zone == HintsObeyed:
			cluster = isReady | forZone
		default:
			cluster = v.readyOrDraining(0)
		}
	}
	if p.usesLocal() {
		local = v.readyOrDraining(isLocal)
	}
	return cluster, local
}

// readyOrDraining is the fallback of S19 among the endpoints with a role.
func (v *vote) readyOrDraining(where role) role {
	for _, state := range [...]role{isReady, isDraining} {
		if v.number(state|where) > 0 {
			return state | where
		}
	}
	return 0
}
