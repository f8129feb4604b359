// Package check is the guarantees G1 to G13 of package slicer and H1 to H7 of package hints as
// code, except H4, which has an oracle beside the package's own tests.
//
// It is written from the text of the guarantees. It has its own normal forms (form.go), its own
// idea of what an API server refuses (package sim), and a reference implementation of the filling,
// which counts endpoints. [Plan] looks at one input and its plan. [Compute] also plans again: on
// copies, on shuffled inputs, and on what an API server would store. Every error names the
// guarantee that is broken.
//
// Two things are shared with the planner, and have tests of their own: what conditions mean
// (package conditions), and the order of lists of ports, which decides a tie of Compact
// (endpoint.Port.Compare).
//
// Where the guarantees leave a choice (which of two equal candidates stays, which surplus leaves),
// the checks follow the plan's choice and test what the choice must meet.
package check

import (
	"cmp"
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/slicer"
)

// Plan checks everything that can be seen in an input and the plan that Compute made of it without
// an error: G1, G2, G4 to G6, G9, G10, G13, the names of G12, and that lists are as documented.
// Scenarios check reasons, counts, trigger times and which slice waits for which. It returns nil,
// or all that is wrong, joined.
func Plan(in gen.Case, plan slicer.Plan) error {
	o, ok := newOutcome(in, plan)
	if !ok {
		return errors.Join(o.failures...)
	}
	o.checkOurs()
	o.checkComplete()
	o.checkRejected()
	o.checkAccepted()
	o.checkPlaceholder()
	o.checkMetadata()
	o.checkForm()
	if len(o.failures) == 0 { // The rest relies on a plan that is complete.
		h := o.findCurrent()
		compact := o.compacts()
		if compact {
			o.checkRecycled(h)
		} else {
			o.checkSticky(h)
		}
		o.checkGaps()
		if len(o.failures) == 0 && !compact && !o.decidedOverAll() {
			o.checkFilling(h)
		}
		o.checkAllocated(h)
	}
	o.checkGapList()
	return errors.Join(o.failures...)
}

// keepPending adds a Group for each endpoint that stays because its object is Pending, to the end
// of the Groups: of the newest slice that has it with these ports, unless the address is wanted on
// them.
func (v *view) keepPending() {
	if len(v.in.Pending) == 0 {
		return
	}
	groups := v.in.Groups
	v.in.Groups = slices.Clone(groups)
	list := slices.Concat(v.live, v.former)
	slices.SortFunc(list, newerFirst)
	type key struct{ ports, identity string }
	seen := map[key]bool{}
	for _, s := range list {
		if only := v.set.AddressTypes; len(only) > 0 && !slices.Contains(only, s.AddressType) {
			continue
		}
		endpoints := slices.Clone(s.Endpoints)
		slices.SortStableFunc(endpoints, func(a, b discoveryv1.Endpoint) int { // a slice may hold one twice
			return cmp.Or(endpoint.TrueFirst(Ready(&a), Ready(&b)), endpoint.Compare(&a, &b))
		})
		for i := range endpoints {
			e := &endpoints[i]
			k := key{KeyOf(s), addressID(e)}
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
		if GroupKey(g.AddressType, g.Ports) != KeyOf(s) {
			continue
		}
		for _, w := range g.Endpoints {
			for _, a := range CanonicalSet(w.API.Addresses) {
				if slices.Contains(CanonicalSet(e.Addresses), a) {
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
			if slices.Contains(CanonicalSet(e.Addresses), Canonical(p.Address)) {
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
