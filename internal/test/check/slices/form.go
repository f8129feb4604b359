package slices

import (
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/check/form"
	"github.com/slicewright/slicewright/slicer"
)

// checkForm: lists are in their documented order, and new objects in canonical order (G7).
func (o *outcome) checkForm() {
	if !slices.IsSortedFunc(o.plan.Unchanged, func(a, b *discoveryv1.EndpointSlice) int { return strings.Compare(a.Name, b.Name) }) {
		o.fail("G7", "Unchanged is not sorted by name")
	}
	if !slices.IsSortedFunc(o.plan.Ignored, func(a, b slicer.Ignored) int { return strings.Compare(a.Slice.Name, b.Slice.Name) }) {
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
		if !slices.IsSortedFunc(n.Ports, func(a, b discoveryv1.EndpointPort) int { return strings.Compare(form.Text(a.Name), form.Text(b.Name)) }) {
			o.fail("G7", "the ports of step %d are not sorted by name", i)
		}
	}
	o.checkDecisions()
}

// checkDecisions: one decision about hints for each wanted address type.
func (o *outcome) checkDecisions() {
	seen := map[discoveryv1.AddressType]bool{}
	for _, d := range o.plan.Hints {
		if seen[d.AddressType] || !o.types[d.AddressType] && !o.unsure[d.AddressType] || d.Mode != o.in.Options.Hints.Mode {
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
