package slicer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/slicer/internal/timeline"
)

// Gap is an endpoint that readers miss during some steps of a plan. Slices hold the endpoint before
// the first step and after the last step, but not in between.
type Gap struct {
	// AddressType is the address type of the slices.
	AddressType discoveryv1.AddressType
	// Address is the endpoint's address, the first one if it has several.
	Address string
	// Object is the targetRef of the endpoint, without resourceVersion. If the endpoint has no
	// targetRef, Object is zero.
	Object corev1.ObjectReference
	// Ports are the ports on which the endpoint is missing, each as name and protocol, sorted, as
	// in "dns/UDP" and "http". A port without a name is "" or "/UDP". Numbers are not compared: a
	// port's number may change during the plan. If the slices have no ports, Ports is nil.
	Ports []string
	// After and Until are numbers of steps, counted from 1. Readers miss the endpoint from the end
	// of step After to the end of step Until. Until is greater than After.
	After, Until int
}

// String returns one line, such as "IPv4 10.0.0.1 on http: missing after step 1 until step 3".
func (g Gap) String() string {
	text := string(g.AddressType) + " " + notation.Quote(g.Address)
	if len(g.Ports) > 0 {
		names := make([]string, len(g.Ports))
		for i, p := range g.Ports {
			names[i] = cmp.Or(notation.Quote(p), `""`)
		}
		text += " on " + strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s: missing after step %d until step %d", text, g.After, g.Until)
}

// Gaps returns the endpoints that readers will miss during some steps, although they are published
// before and after the plan. Nearly every plan has no gaps, because steps are ordered so that no
// endpoint goes missing. There are two exceptions. Slices may swap endpoints of different ports:
// each of these slices should be written after another one, which is not possible for all of them.
// Or the ports of an endpoint were in one slice and are divided among several slices.
//
// An endpoint is identified by its addresses in any order and spelling, its hostname, and the kind,
// namespace and name of its targetRef. Only slices in Unchanged and Steps are compared, not slices
// in Ignored. The list is sorted by After, Until, address type, address, object and ports. It is
// computed at each call and shares no memory with the plan. If there is no gap, it is nil.
func (p Plan) Gaps() []Gap {
	steps := make([]timeline.Step, len(p.Steps))
	for i := range p.Steps {
		steps[i] = timeline.Step{Old: p.Steps[i].Old, New: p.Steps[i].New}
	}
	var gaps []Gap
	for _, a := range timeline.Absences(steps, p.Unchanged) {
		gap := Gap{
			AddressType: a.AddressType, Object: endpoint.TargetOf(a.Endpoint),
			Ports: a.Ports, After: a.After, Until: a.Until,
		}
		if len(a.Endpoint.Addresses) > 0 {
			gap.Address = a.Endpoint.Addresses[0]
		}
		gaps = append(gaps, gap)
	}
	slices.SortFunc(gaps, func(a, b Gap) int {
		return cmp.Or(
			cmp.Compare(a.After, b.After), cmp.Compare(a.Until, b.Until),
			strings.Compare(string(a.AddressType), string(b.AddressType)),
			endpoint.CompareAddresses(a.Address, b.Address),
			endpoint.CompareReference(&a.Object, &b.Object), slices.Compare(a.Ports, b.Ports),
		)
	})
	return gaps
}
