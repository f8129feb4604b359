package hints

import discoveryv1 "k8s.io/api/discovery/v1"

// role is what an endpoint is to a reader. An endpoint that is neither ready nor draining has no role.
type role uint8

const (
	isReady    role = 1 << iota
	isDraining      // serves while it terminates
	isLocal         // on the reader's node; only if the vote asks for it
	forNode         // ready, and a hint names the reader's node
	forZone         // ready, and a hint names the reader's zone
	inZone          // ready, and hinted to the reader's zone or, without a hint for zones, in it; only for Failover

	rolesEnd
)

// plays reports whether an endpoint has all the roles that are asked for.
func (r role) plays(asked role) bool { return r&asked == asked }

// vote counts what the endpoints of one family are to a reader, and what the voters' hints say.
type vote struct {
	family discoveryv1.AddressType
	first  int // the family's first endpoint
	at     Location
	policy Policy
	nearby bool // inZone is asked for

	ready, draining           int
	localReady, localDraining int
	forNode, forZone          int // ready endpoints, voters or not
	voters                    int
	node, zone                support
}

// support is how the voters stand to one kind of hint.
type support struct {
	hinted  int // have one
	named   int // have one for the reader
	missing int // the first that has none, -1 if all have
}

func newVote(at Location, p Policy) vote {
	return vote{at: at, policy: p, node: support{missing: -1}, zone: support{missing: -1}}
}

// take counts the endpoint at an index and returns its roles.
func (v *vote) take(c *Candidate, index int) role {
	if c.State.Ready {
		v.ready++
		r := isReady
		if v.policy.usesLocal() && v.isHere(c) {
			v.localReady++
			r |= isLocal
		}
		if v.policy.readsHints() {
			r |= v.takeHints(c, index)
		}
		return r
	}
	if !c.State.ServesWhileTerminating() {
		return 0
	}
	v.draining++
	if v.policy.usesLocal() && v.isHere(c) {
		v.localDraining++
		return isDraining | isLocal
	}
	return isDraining
}

func (v *vote) isHere(c *Candidate) bool { return c.NodeName == v.at.NodeName && c.NodeName != "" }

// takeHints counts the hints of a ready endpoint.
func (v *vote) takeHints(c *Candidate, index int) role {
	var r role
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
	if r&forNode != 0 {
		v.forNode++
	}
	if r&forZone != 0 {
		v.forZone++
	}
	if !c.NoVote {
		v.voters++
		v.node.add(len(c.ForNodes) > 0, r&forNode != 0, index)
		v.zone.add(len(c.ForZones) > 0, r&forZone != 0, index)
	}
	if v.nearby && v.at.Zone != "" && (r&forZone != 0 || len(c.ForZones) == 0 && c.Zone == v.at.Zone) {
		r |= inZone
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

// uses says whether the hints for nodes and for zones are obeyed, and else why not, and which endpoint has none.
func (v *vote) uses() (node, zone HintUse, nodeMissing, zoneMissing int) {
	if !v.policy.usesCluster() {
		return "", "", -1, -1
	}
	node, nodeMissing = v.use(&v.node, v.at.NodeName)
	if node == HintsObeyed {
		return node, "", -1, -1
	}
	zone, zoneMissing = v.use(&v.zone, v.at.Zone)
	return node, zone, nodeMissing, zoneMissing
}

func (v *vote) use(t *support, place string) (HintUse, int) {
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
	case t.named == 0:
		return NotNamed, -1
	default:
		return HintsObeyed, -1
	}
}

// choice is the roles that make an endpoint part of a list, zero where no endpoint is, and how many have them.
type choice struct {
	roles role
	count int
}

// has reports whether an endpoint is in the list.
func (c choice) has(r role) bool { return c.roles != 0 && r.plays(c.roles) }

// cluster chooses Routes.Cluster.
func (v *vote) cluster(node, zone HintUse) choice {
	switch {
	case !v.policy.usesCluster():
		return choice{}
	case node == HintsObeyed:
		return choice{isReady | forNode, v.forNode}
	case zone == HintsObeyed:
		return choice{isReady | forZone, v.forZone}
	default:
		return fallBack(choice{isReady, v.ready}, choice{isDraining, v.draining})
	}
}

// local chooses Routes.Local.
func (v *vote) local() choice {
	if !v.policy.usesLocal() {
		return choice{}
	}
	return fallBack(choice{isReady | isLocal, v.localReady}, choice{isDraining | isLocal, v.localDraining})
}

// fallBack returns the draining endpoints where none is ready.
func fallBack(ready, draining choice) choice {
	switch {
	case ready.count > 0:
		return ready
	case draining.count > 0:
		return draining
	default:
		return choice{}
	}
}
