package slices

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/test/check/form"
	checkhints "github.com/slicewright/slicewright/internal/test/check/hints"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer/next"
)

// checkForm: lists are in their documented order, and new objects in canonical order (G7).
func (o *outcome) checkForm() {
	if !slices.IsSortedFunc(o.plan.Unchanged,
		func(a, b *discoveryv1.EndpointSlice) int { return strings.Compare(a.Name, b.Name) }) {
		o.fail("G7", "Unchanged is not sorted by name")
	}
	if !slices.IsSortedFunc(o.plan.Ignored,
		func(a, b *discoveryv1.EndpointSlice) int { return strings.Compare(a.Name, b.Name) }) {
		o.fail("G7", "Ignored is not sorted by name")
	}
	for i := range o.plan.Steps {
		n := o.plan.Steps[i].New
		if n == nil {
			continue
		}
		if !slices.IsSortedFunc(n.Endpoints, form.CompareEndpoints) {
			o.fail("G7", "the endpoints of step %d are not in canonical order", i)
		}
		if !slices.IsSortedFunc(n.Ports,
			func(a, b discoveryv1.EndpointPort) int { return strings.Compare(form.Text(a.Name), form.Text(b.Name)) }) {
			o.fail("G7", "the ports of step %d are not sorted by name", i)
		}
	}
	o.checkDecisions()
}

// checkDecisions: one decision about hints for each wanted address type.
func (o *outcome) checkDecisions() {
	seen := map[discoveryv1.AddressType]bool{}
	for _, d := range o.plan.Hints {
		if seen[d.AddressType] || !o.types[d.AddressType] && !o.unsure[d.AddressType] || d.Mode != o.in.Hints.Mode {
			o.fail("Plan", "hint decision %v is one too many or of another mode", d)
		}
		seen[d.AddressType] = true
	}
	for t := range o.types {
		if !seen[t] && !o.unsure[t] {
			o.fail("Plan", "there is no hint decision for %s", t)
		}
	}
}

// checkAccepted: the API server takes every object, also as a create, and none is above the
// maximum; while the parent is terminating a slice may stay as full as it is (G2).
func (o *outcome) checkAccepted() {
	for i := range o.plan.Steps {
		step := &o.plan.Steps[i]
		if step.New == nil {
			continue
		}
		most := o.max
		if step.Old != nil && o.set.Terminating {
			most = max(most, len(step.Old.Endpoints))
		}
		if n := len(step.New.Endpoints); n > most {
			o.fail("G2", "step %d writes %d endpoints, more than %d", i, n, most)
		}
		c := step.New.DeepCopy()
		sim.Default(c)
		var errs field.ErrorList
		if step.Verb == slicer.Update {
			errs = sim.UpdateErrors(c, step.Old)
			c.Finalizers = nil
		}
		for _, err := range append(errs, sim.CreateErrors(c)...) {
			o.fail("G2", "step %d is refused: %v", i, err)
		}
	}
}

// sameContent compares everything of an endpoint that counts, but its hints.
func sameContent(a, b *discoveryv1.Endpoint, explicit bool) bool {
	return sameAddresses(a.Addresses, b.Addresses) &&
		sameConditions(a.Conditions, b.Conditions, explicit) &&
		form.Text(a.Hostname) == form.Text(b.Hostname) && form.Text(a.NodeName) == form.Text(b.NodeName) &&
		form.Text(a.Zone) == form.Text(b.Zone) &&
		sameTarget(a.TargetRef, b.TargetRef)
}

// sameAddresses: the first counts as such, all together as a set.
func sameAddresses(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return form.Canonical(a[0]) == form.Canonical(b[0]) && slices.Equal(form.CanonicalSet(a), form.CanonicalSet(b))
}

func sameConditions(a, b discoveryv1.EndpointConditions, explicit bool) bool {
	if !explicit {
		return conditions.Of(a) == conditions.Of(b)
	}
	same := func(x, y *bool) bool { return (x == nil) == (y == nil) && (x == nil || *x == *y) }
	return same(a.Ready, b.Ready) && same(a.Serving, b.Serving) && same(a.Terminating, b.Terminating)
}

func sameTarget(a, b *corev1.ObjectReference) bool {
	var x, y corev1.ObjectReference
	if a != nil {
		x = *a
	}
	if b != nil {
		y = *b
	}
	x.ResourceVersion, y.ResourceVersion = "", ""
	return x == y
}

func sameHints(a, b *discoveryv1.EndpointHints) bool {
	return slices.Equal(checkhints.Names(a), checkhints.Names(b))
}
