package check

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
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
		if !slices.IsSortedFunc(n.Endpoints, CompareEndpoints) {
			o.fail("G7", "the endpoints of step %d are not in canonical order", i)
		}
		if !slices.IsSortedFunc(n.Ports,
			func(a, b discoveryv1.EndpointPort) int { return strings.Compare(Text(a.Name), Text(b.Name)) }) {
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
		Text(a.Hostname) == Text(b.Hostname) && Text(a.NodeName) == Text(b.NodeName) &&
		Text(a.Zone) == Text(b.Zone) &&
		sameTarget(a.TargetRef, b.TargetRef)
}

// sameAddresses: the first counts as such, all together as a set.
func sameAddresses(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return Canonical(a[0]) == Canonical(b[0]) && slices.Equal(CanonicalSet(a), CanonicalSet(b))
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
	return slices.Equal(HintNames(a), HintNames(b))
}

// Canonical is an address in its one spelling; what is no IP stays as it is.
func Canonical(address string) string {
	if ip, ok := sim.LenientIP(address); ok {
		return ip.String()
	}
	return address
}

func CanonicalSet(addresses []string) []string {
	var set []string
	for _, a := range addresses {
		set = append(set, Canonical(a))
	}
	sort.Strings(set)
	return slices.Compact(set)
}

func PortKey(p discoveryv1.EndpointPort) string {
	protocol := string(corev1.ProtocolTCP)
	number := "any"
	app := "-"
	if p.Protocol != nil {
		protocol = string(*p.Protocol)
	}
	if p.Port != nil {
		number = fmt.Sprint(*p.Port)
	}
	if p.AppProtocol != nil {
		app = "=" + *p.AppProtocol
	}
	return fmt.Sprintf("%q %s %s %s", Text(p.Name), protocol, number, app)
}

// GroupKey names an address type with ports in normal form.
func GroupKey(t discoveryv1.AddressType, ports []discoveryv1.EndpointPort) string {
	var keys []string
	for _, p := range ports {
		keys = append(keys, PortKey(p))
	}
	sort.Strings(keys)
	return string(t) + " [" + strings.Join(keys, "; ") + "]"
}

func KeyOf(s *discoveryv1.EndpointSlice) string { return GroupKey(s.AddressType, s.Ports) }

// CompareEndpoints orders by first address as a number, hostname and target.
func CompareEndpoints(a, b discoveryv1.Endpoint) int {
	if len(a.Addresses) == 0 || len(b.Addresses) == 0 { // with Pass: they come first
		return cmp.Compare(len(a.Addresses), len(b.Addresses))
	}
	x, xok := sim.LenientIP(a.Addresses[0])
	y, yok := sim.LenientIP(b.Addresses[0])
	order := strings.Compare(a.Addresses[0], b.Addresses[0])
	switch {
	case xok && yok:
		order = x.Compare(y)
	case xok: // with Pass, a text may be among IPs: it comes last
		order = -1
	case yok:
		order = 1
	}
	return cmp.Or(order, strings.Compare(Text(a.Hostname), Text(b.Hostname)))
}

func Ready(e *discoveryv1.Endpoint) bool { return conditions.Of(e.Conditions).Ready }

func Text(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}

// Show is an endpoint, or the head of a slice, as JSON.
func Show(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

// ShowSlice is a slice, with a line for each endpoint.
func ShowSlice(s *discoveryv1.EndpointSlice) string {
	if s == nil {
		return "nil"
	}
	head := *s
	head.Endpoints = nil
	text := Show(head)
	for i := range s.Endpoints {
		text += "\n             " + Show(&s.Endpoints[i])
	}
	return text
}
