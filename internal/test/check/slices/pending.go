package slices

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/test/check/form"
	"github.com/slicewright/slicewright/slicer/next"
)

// keepPending adds a Group for each endpoint that stays because its object is Pending, to the end of the
// Groups: of the newest slice that has it with these ports, unless the address is wanted on them.
func (v *view) keepPending() {
	if len(v.in.Pending) == 0 {
		return
	}
	groups := v.in.Groups
	v.in.Groups = slices.Clone(groups)
	list := slices.Concat(v.live, v.stale)
	slices.SortFunc(list, newerFirst)
	type key struct{ ports, identity string }
	seen := map[key]bool{}
	for _, s := range list {
		if only := v.set.AddressTypes; len(only) > 0 && !slices.Contains(only, s.AddressType) {
			continue
		}
		endpoints := slices.Clone(s.Endpoints)
		slices.SortStableFunc(endpoints, func(a, b discoveryv1.Endpoint) int { // a slice may hold one twice
			return cmp.Or(endpoint.TrueFirst(form.Ready(&a), form.Ready(&b)), endpoint.Compare(&a, &b))
		})
		for i := range endpoints {
			e := &endpoints[i]
			k := key{form.KeyOf(s), addressID(e)}
			if v.pends(groups, e, s.AddressType) && !wants(groups, s, e) && !seen[k] && len(v.faults(e, s.AddressType)) == 0 {
				seen[k] = true
				g := slicer.Group{AddressType: s.AddressType, Ports: s.Ports, Endpoints: []slicer.Endpoint{{API: *e}}}
				v.in.Groups = append(v.in.Groups, g)
			}
		}
	}
}

// wants reports whether an address of an endpoint is wanted on the ports of its slice.
func wants(groups []slicer.Group, s *discoveryv1.EndpointSlice, e *discoveryv1.Endpoint) bool {
	for _, g := range groups {
		if form.GroupKey(g.AddressType, g.Ports) != form.KeyOf(s) {
			continue
		}
		for _, w := range g.Endpoints {
			for _, a := range form.CanonicalSet(w.API.Addresses) {
				if slices.Contains(form.CanonicalSet(e.Addresses), a) {
					return true
				}
			}
		}
	}
	return false
}

// pends reports whether an object of Pending keeps an endpoint.
func (v *view) pends(groups []slicer.Group, e *discoveryv1.Endpoint, t discoveryv1.AddressType) bool {
	for _, p := range v.in.Pending {
		about := p.Untargeted && e.TargetRef == nil || e.TargetRef != nil && isObject(&p.Object, e.TargetRef)
		switch {
		case !about:
		case p.Address != "":
			if slices.Contains(form.CanonicalSet(e.Addresses), form.Canonical(p.Address)) {
				return true
			}
		case e.TargetRef == nil:
			return true
		default:
			wanted := slices.ContainsFunc(groups, func(g slicer.Group) bool {
				return g.AddressType == t && slices.ContainsFunc(g.Endpoints, func(w slicer.Endpoint) bool {
					return w.API.TargetRef != nil && isObject(&p.Object, w.API.TargetRef)
				})
			})
			if !wanted {
				return true
			}
		}
	}
	return false
}

func isObject(o, target *corev1.ObjectReference) bool {
	if *o == (corev1.ObjectReference{}) {
		return false
	}
	if o.UID != "" {
		return o.UID == target.UID
	}
	return o.Kind == target.Kind && o.Namespace == target.Namespace && o.Name == target.Name
}
