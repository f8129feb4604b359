package check

import (
	"cmp"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/sim"
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
	var first [2]string
	for i, e := range []discoveryv1.Endpoint{a, b} {
		if len(e.Addresses) > 0 {
			first[i] = e.Addresses[0]
		}
	}
	x, xok := sim.LooseIP(first[0])
	y, yok := sim.LooseIP(first[1])
	order := strings.Compare(first[0], first[1])
	switch {
	case xok && yok:
		order = x.Compare(y)
	case first[0] == "" || first[1] == "": // with Pass, an endpoint may have no address: it comes first
	case xok != yok && xok: // or a text among IPs: it comes last
		order = -1
	case xok != yok:
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
