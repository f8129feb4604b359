package forecast

import (
	"github.com/slicewright/slicewright/hints/internal/vote"
	"github.com/slicewright/slicewright/hints/routing"
)

// groups has the endpoints grouped by everything that matters to a source. A source uses one group,
// or up to three groups that have no endpoint in common. The field vote has counted all endpoints
// once. For each source, it decides from the numbers of voters in the groups of the source's node,
// zone and region.
type groups struct {
	policy routing.Policy
	vote   vote.Vote
	by     map[spot]*group
	empty  group
}

// spot identifies a group: by its kind, and by the name of a node, zone or region. The name is
// empty for the groups of all places.
type spot struct {
	kind kind
	name string
}

// group is a set of endpoints among which sources divide their traffic.
type group struct {
	members []int
	voters  int
	inZone  map[string]uint64 // by zone: the number of members in it
	load    uint64            // what each member gets
}

type kind uint8

const (
	ready    kind = iota // all ready endpoints; if spot has a name, only those on this node
	draining             // all draining endpoints; if spot has a name, only those on this node
	unready              // all unready endpoints; if spot has a name, only those on this node

	hintedNode // ready, with a hint for a node
	hintedZone // ready, with a hint for a zone

	inZone   // ready, in a zone
	inRegion // ready, in a region

	// Ready endpoints whose zone or region is not known. They are grouped by a smaller place.
	onNodeNoZone   // on a node; the zone is not known
	inZoneNoRegion // in a zone; the region is not known
	onNodeNoPlace  // on a node; zone and region are not known
	onNodeNoRegion // on a node; the region is not known, and the zone may be known
)

func newGroups(candidates []vote.Candidate, p routing.Policy) *groups {
	roles := make([]vote.Role, len(candidates))
	if p.AnyFamily {
		vote.Hide(candidates, vote.Location{}, roles, map[vote.Target]int{})
	}
	g := &groups{policy: p, by: map[spot]*group{}, vote: vote.New(vote.Location{}, vote.Policy{
		Node: p.Near&routing.Node != 0, Zone: p.Near&routing.Zone != 0, Region: p.Near&routing.Region != 0,
		AtLeast: p.AtLeast, LastResort: p.LastResort, IgnoreHints: p.IgnoreHints,
	})}
	for i := range candidates {
		if roles[i] != vote.Hidden {
			g.add(&candidates[i], i)
		}
	}
	return g
}

// add puts an endpoint into its groups.
func (g *groups) add(c *vote.Candidate, i int) {
	all := ready
	switch role := g.vote.Take(c, i); {
	case role&vote.IsDraining != 0:
		all = draining
	case role&vote.IsUnready != 0:
		all = unready
	case role&vote.IsReady == 0:
		return
	}
	g.join(all, "", c, i)
	if c.NodeName != "" && (g.policy.Local || g.policy.Near != 0) {
		g.join(all, c.NodeName, c, i)
	}
	switch {
	case all != ready || g.policy.Local:
	case g.policy.Near != 0:
		g.joinPlaces(c, i)
	default:
		for _, hint := range c.ForNodes {
			g.join(hintedNode, hint.Name, c, i)
		}
		for _, hint := range c.ForZones {
			g.join(hintedZone, hint.Name, c, i)
		}
	}
}

// joinPlaces puts a ready endpoint into the groups of places.
func (g *groups) joinPlaces(c *vote.Candidate, i int) {
	if c.Zone != "" {
		g.join(inZone, c.Zone, c, i)
	} else if c.NodeName != "" {
		g.join(onNodeNoZone, c.NodeName, c, i)
	}
	if c.Region != "" {
		g.join(inRegion, c.Region, c, i)
		return
	}
	if c.Zone != "" {
		g.join(inZoneNoRegion, c.Zone, c, i)
	} else if c.NodeName != "" {
		g.join(onNodeNoPlace, c.NodeName, c, i)
	}
	if c.NodeName != "" {
		g.join(onNodeNoRegion, c.NodeName, c, i)
	}
}

func (g *groups) join(k kind, name string, c *vote.Candidate, i int) {
	to := g.by[spot{k, name}]
	if to == nil {
		to = &group{inZone: map[string]uint64{}}
		g.by[spot{k, name}] = to
	}
	if n := len(to.members); n > 0 && to.members[n-1] == i {
		return // the endpoint has the same hint twice
	}
	if to.members = append(to.members, i); c.Zone != "" {
		to.inZone[c.Zone]++
	}
	if k != draining && k != unready && !c.NoVote {
		to.voters++
	}
}

// find returns the group of a kind and a name. If no endpoint is in it, the result is an empty
// group, never nil.
func (g *groups) find(k kind, name string) *group {
	if found := g.by[spot{k, name}]; found != nil {
		return found
	}
	return &g.empty
}

// audience has the groups that a source uses. Unused elements are nil.
type audience [3]*group

func (a audience) size() (n int) {
	for _, member := range a {
		if member != nil {
			n += len(member.members)
		}
	}
	return n
}

func (a audience) voters() (n int) {
	for _, member := range a {
		if member != nil {
			n += member.voters
		}
	}
	return n
}

// inZone counts the endpoints in a zone.
func (a audience) inZone(zone string) (n uint64) {
	for _, member := range a {
		if member != nil {
			n += member.inZone[zone]
		}
	}
	return n
}

// all returns the endpoints over which the mean is taken.
func (g *groups) all() audience { return g.first("") }

// first returns the ready endpoints, else the draining ones, else the unready ones. If node is
// empty, it looks at all endpoints, otherwise only at endpoints on the node.
func (g *groups) first(node string) audience {
	for _, k := range [...]kind{ready, draining} {
		if found := g.find(k, node); len(found.members) > 0 {
			return audience{found}
		}
	}
	return audience{g.find(unready, node)}
}

// audience returns the endpoints that a source at a place uses.
func (g *groups) audience(at vote.Location) audience {
	if g.policy.Local {
		if at.NodeName == "" {
			return audience{}
		}
		return g.first(at.NodeName)
	}
	node, zone, region := g.near(at)
	v := g.vote.SeenFrom(at, node.voters(), zone.voters(), region.voters())
	switch v.Decide().Scope {
	case vote.ScopeNode:
		return node
	case vote.ScopeZone:
		return zone
	case vote.ScopeRegion:
		return region
	default:
		return g.all()
	}
}

// near returns the endpoints that are on the node, in the zone and in the region of a place.
func (g *groups) near(at vote.Location) (node, zone, region audience) {
	if g.policy.Near == 0 {
		return audience{g.find(hintedNode, at.NodeName)}, audience{g.find(hintedZone, at.Zone)}, audience{}
	}
	if at.NodeName != "" {
		node = audience{g.find(ready, at.NodeName)}
	}
	zone = audience{g.find(inZone, at.Zone), g.find(onNodeNoZone, at.NodeName)}
	region = audience{g.find(inRegion, at.Region), g.find(inZoneNoRegion, at.Zone), g.find(onNodeNoPlace, at.NodeName)}
	if at.Zone == "" {
		region = audience{g.find(inRegion, at.Region), g.find(onNodeNoRegion, at.NodeName)}
	}
	return node, zone, region
}
