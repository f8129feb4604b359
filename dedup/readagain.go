package dedup

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// readAgain compares a slice with its last version, endpoint by endpoint. It is for the commonest event of all: the slice has
// the same addresses in the same places, and a few endpoints say something else, such as that they are not ready any more. So
// most endpoints cost a comparison, and no memory. It reports false, and has changed nothing, where addresses or places
// differ.
func (r *reading) readAgain(slice *discoveryv1.EndpointSlice, f family, before *holding, c *changes) bool {
	if len(slice.Endpoints) == 0 || len(slice.Endpoints) != len(before.positions) || f == fqdn {
		return false
	}
	c.at = c.at[:0]
	for i := range slice.Endpoints {
		e := &slice.Endpoints[i]
		old := before.records[before.positions[i]]
		if len(e.Addresses) == 0 {
			return false
		}
		if h, _, _, ok := readHost(e.Addresses[0], f); !ok || h != old.host {
			return false
		}
		if !old.says(e) {
			c.at = append(c.at, int32(i))
		}
	}
	if len(c.at) > 0 {
		r.readChanged(slice, before, c)
	}
	return true
}

// readChanged reads the endpoints of a slice that c.at lists, and leaves there the positions of those that are not as before.
func (r *reading) readChanged(slice *discoveryv1.EndpointSlice, before *holding, c *changes) {
	r.shapes.recall(before.records)
	slices.SortFunc(c.at, func(i, j int32) int { return int(before.positions[i]) - int(before.positions[j]) })
	changed := c.at[:0]
	for _, i := range c.at {
		position := before.positions[i]
		old, now := before.records[position], r.scratch.record()
		now.host = old.host
		r.fill(now, &slice.Endpoints[i])
		if compareRecords(old, now) != 0 {
			changed = append(changed, int32(position))
			c.removed, c.added = append(c.removed, old), append(c.added, now)
		}
	}
	c.at = changed
	r.lasting.expect(len(c.added))
	for i := range c.added {
		c.added[i] = r.lasting.copy(c.added[i])
	}
}

// says reports whether an endpoint with the record's address says what the record does. It is sure of a yes only: what
// few endpoints have, and lists in another order, take a closer look.
func (r *record) says(e *discoveryv1.Endpoint) bool {
	s := r.shape
	if r.more != nil || e.Hostname != nil || s.usability != usabilityOf(conditions.Of(e.Conditions)) ||
		r.node != endpoint.Text(e.NodeName) || s.zone != endpoint.Text(e.Zone) {
		return false
	}
	if e.TargetRef == nil {
		return r.target() == Target{} && saysHints(s, e.Hints)
	}
	t := e.TargetRef
	return r.uid == t.UID && r.name == t.Name && s.kind == t.Kind && s.namespace == t.Namespace && saysHints(s, e.Hints)
}

func saysHints(s *shape, h *discoveryv1.EndpointHints) bool {
	if h == nil {
		return len(s.zones) == 0
	}
	return len(h.ForNodes) == 0 && slices.Equal(s.zones, h.ForZones)
}
