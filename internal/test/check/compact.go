package check

import (
	"cmp"
	"fmt"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// compacts reports whether Compact's rules hold for a plan instead of G4 and G5.
func (v *view) compacts() bool {
	return v.in.Options.Compact && !v.set.Terminating
}

// checkRecycled: an endpoint leaves its current slice only if that is recycled or above the
// maximum, and not if it is an unchanged slice; and a slice that is not written holds only
// endpoints whose current slice it is.
func (o *outcome) checkRecycled(h *current) {
	for s, ids := range h.at {
		now := o.byOld[s]
		stay := o.kept(h, s)
		want := len(ids)
		if now != nil && now.written() {
			want = min(want, o.max)
		}
		if stay != want && stay != 0 {
			o.fail("Compact", "slice %s is the current slice of %v and keeps %d of them, want %d or none", s.Name, ids,
				stay, want)
		}
		split := o.decidedOverAll() && stay == o.max // its hints had to change
		if stay < len(ids) && !o.dirty(s, h) && !split {
			o.fail("Compact", "slice %s is the current slice of %v, need not be written, and gives some up", s.Name,
				ids)
		}
	}
	o.checkUnwritten(h, "Compact")
}

// reassignCompact gives a slice whose ports are not wanted any more to the ports that most of its
// unassigned endpoints want, and ties go to the first ports. It makes the slice the current slice
// of the first of these endpoints, up to the maximum. The plan may have recycled it since.
func (o *outcome) reassignCompact(h *current, s *discoveryv1.EndpointSlice) {
	var best *group
	for _, g := range o.groups {
		if g.addressType != s.AddressType {
			continue
		}
		if more := len(h.unassigned(s, g)); best == nil || more > len(h.unassigned(s, best)) ||
			more == len(h.unassigned(s, best)) && planOrder(g, best) < 0 {
			best = g
		}
	}
	if best == nil {
		return
	}
	ids := h.unassigned(s, best)
	slices.SortFunc(ids, func(a, b string) int {
		x, y := best.wanted[a].pick, best.wanted[b].pick
		return cmp.Or(CompareEndpoints(*x, *y), cmp.Compare(targetOf(x), targetOf(y)),
			slices.CompareFunc(x.Addresses, y.Addresses, compareAddresses), cmp.Compare(Show(x), Show(y)))
	})
	h.keep(s, best, ids[:min(len(ids), o.max)])
}

// compareAddresses orders single addresses as compareEndpoints does first ones: a list that another
// begins with is first.
func compareAddresses(a, b string) int {
	return CompareEndpoints(discoveryv1.Endpoint{Addresses: []string{a}},
		discoveryv1.Endpoint{Addresses: []string{b}})
}

// targetOf names the target; "" is none, which comes first.
func targetOf(e *discoveryv1.Endpoint) string {
	if e.TargetRef == nil {
		return ""
	}
	r := e.TargetRef
	return fmt.Sprintf("%s/%s/%s/%s/%s/%s", r.Kind, r.Namespace, r.Name, r.UID, r.APIVersion, r.FieldPath)
}

// planOrder is the plan's order of groups.
func planOrder(a, b *group) int {
	return slices.CompareFunc(endpoint.Ports(nil, a.ports), endpoint.Ports(nil, b.ports), endpoint.Port.Compare)
}
