package check

import (
	"cmp"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/sim"
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
		if !slices.IsSortedFunc(n.Endpoints, compareEndpoints) {
			o.fail("G7", "the endpoints of step %d are not in canonical order", i)
		}
		if !slices.IsSortedFunc(n.Ports, func(a, b discoveryv1.EndpointPort) int { return strings.Compare(text(a.Name), text(b.Name)) }) {
			o.fail("G7", "the ports of step %d are not sorted by name", i)
		}
	}
	o.checkDecisions()
}

// compareEndpoints orders by first address as a number, hostname and target.
func compareEndpoints(a, b discoveryv1.Endpoint) int {
	if len(a.Addresses) == 0 || len(b.Addresses) == 0 { // with Pass: they come first
		return cmp.Compare(len(a.Addresses), len(b.Addresses))
	}
	x, xok := sim.LooseIP(a.Addresses[0])
	y, yok := sim.LooseIP(b.Addresses[0])
	order := strings.Compare(a.Addresses[0], b.Addresses[0])
	switch {
	case xok && yok:
		order = x.Compare(y)
	case xok: // with Pass, a text may be among IPs: it comes last
		order = -1
	case yok:
		order = 1
	}
	return cmp.Or(order, strings.Compare(text(a.Hostname), text(b.Hostname)))
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
