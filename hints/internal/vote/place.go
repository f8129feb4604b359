package vote

import "k8s.io/apimachinery/pkg/types"

// onNode reports whether an endpoint is on the reader's node.
func (c *Candidate) onNode(at *Location) bool { return c.NodeName != "" && c.NodeName == at.NodeName }

// near returns the places that an endpoint and the reader share. If the zone of the endpoint or of
// the reader is not known, an endpoint on the reader's node counts as being in the reader's zone.
// If the region of one of them is not known, an endpoint in the reader's zone counts as being in
// the reader's region.
func (c *Candidate) near(at *Location) (r Role) {
	inside := c.onNode(at)
	if inside {
		r |= AtNode
	}
	if c.Zone != "" && at.Zone != "" {
		inside = c.Zone == at.Zone
	}
	if inside {
		r |= AtZone
	}
	if c.Region != "" && at.Region != "" {
		inside = c.Region == at.Region
	}
	if inside {
		r |= AtRegion
	}
	return r
}

// Target is the identity of the object that an endpoint stands for. The zero value is no object.
type Target struct {
	kind, namespace, name string
	uid                   types.UID
}

// target returns the object that an endpoint stands for.
func (c *Candidate) target() (t Target) {
	if ref := c.TargetRef; ref != nil && (ref.Name != "" || ref.UID != "") {
		t = Target{ref.Kind, ref.Namespace, ref.Name, ref.UID}
	}
	return t
}

// Hide gives the role Hidden to all endpoints of a target except one. It keeps a ready endpoint if
// there is one, else a draining one, else any. Ties go to the nearest endpoint, then to the first.
// An endpoint without a target keeps its role. best must be empty. It is an argument so that the
// caller can reuse its memory.
func Hide(candidates []Candidate, at Location, roles []Role, best map[Target]int) {
	for i := range candidates {
		c := &candidates[i]
		target := c.target()
		if target == (Target{}) {
			continue
		}
		other, ok := best[target]
		switch {
		case !ok:
			best[target] = i
		case c.rank(&at) < candidates[other].rank(&at):
			best[target], roles[other] = i, Hidden
		default:
			roles[i] = Hidden
		}
	}
}

// rank orders the endpoints of a target. The endpoint with the lowest rank is used.
func (c *Candidate) rank(at *Location) int {
	rank := 4 * int(StateOf(c, true)) // IsReady < IsDraining < IsUnready < Stopped
	switch near := c.near(at); {
	case near&AtNode != 0:
		return rank
	case near&AtZone != 0:
		return rank + 1
	case near&AtRegion != 0:
		return rank + 2
	default:
		return rank + 3
	}
}
