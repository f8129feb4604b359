package slicer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/internal/quote"
)

// Plan says what to write. The zero value writes nothing.
type Plan struct {
	// Steps are the writes, in a safe order. It is safe to stop after any of them.
	Steps []Step
	// Unchanged are the slices that need no write.
	Unchanged []*discoveryv1.EndpointSlice
	// Ignored are slices with the same labels that belong to others or are being deleted.
	Ignored []*discoveryv1.EndpointSlice
	// Warnings list what should be published, but is left out or is not as asked. Send them as
	// Events of type Warning.
	Warnings Notices
	// Normal lists what is rightly left out, such as a Pod without an address.
	Normal Notices
	// Retry is that of the Input.
	Retry error
	// Hints has a decision for each address type.
	Hints []hints.Decision

	max int // endpoints per slice; 0 for the zero Plan
}

// After returns the slices as they are once every step is done.
func (p Plan) After() []*discoveryv1.EndpointSlice {
	after := slices.Clone(p.Unchanged)
	for i := range p.Steps {
		if s := p.Steps[i].New; s != nil {
			after = append(after, s)
		}
	}
	return after
}

// Stats returns the numbers for the metrics of Kubernetes' controller.
func (p Plan) Stats() Stats {
	var s Stats
	type list struct {
		addressType discoveryv1.AddressType
		ports       string
	}
	endpoints := map[list]int{}
	for _, slice := range p.After() {
		if slice == nil {
			continue
		}
		s.Slices++
		s.Endpoints += len(slice.Endpoints)
		ports := endpoint.PortsKey(endpoint.Ports(nil, slice.Ports))
		endpoints[list{slice.AddressType, ports}] += len(slice.Endpoints)
	}
	most := cmp.Or(p.max, defaultMaxEndpoints)
	for _, n := range endpoints {
		s.DesiredSlices += max(1, (n+most-1)/most) // an empty slice is a placeholder
	}
	return s
}

// The verbs of a Step.
const (
	Create = "create"
	Update = "update"
	Delete = "delete"
)

// Step is one write.
type Step struct {
	// Verb is Create, Update or Delete.
	Verb string
	// Old is the slice as it is, nil for a create. New is what to write, nil for a delete. An
	// update has the resourceVersion of Old, and a delete has its UID and resourceVersion as
	// preconditions. New slices have names, so that a create whose answer was lost is not done
	// twice.
	Old, New *discoveryv1.EndpointSlice
	// Reasons say why, such as EndpointsAdded. The package comment lists them.
	Reasons []string
	// Added, Removed and Changed count endpoints.
	Added, Removed, Changed int
}

// Stats are num_endpoint_slices, desired_endpoint_slices and endpoints_desired of one Service.
type Stats struct {
	// Slices is the number after the plan, DesiredSlices the number if slices were full, and
	// Endpoints the number of wanted endpoints.
	Slices, DesiredSlices, Endpoints int
}

// String returns the plan as text for people, a line for each step. The slices that are left alone,
// the Warnings, Normal, the decisions on hints and the total follow. Do not parse it.
//
//	create web-7k2qbn4x-ipv4 ipv4 http:80: +10.0.0.1..100 (EndpointsAdded)
//	update web-b: -10.0.0.3 ~10.0.0.4{!ready} (EndpointsRemoved, EndpointsChanged)
//	delete web-c: -10.0.0.7 (NothingLeft)
//	unchanged web-d web-e
//	warning 127.0.0.1: InvalidAddress: Invalid value: "127.0.0.1": may not be in the loopback range
//	total 3 writes, endpoints +100 -2 ~1
func (p Plan) String() string {
	var b strings.Builder
	total := Step{}
	for _, s := range p.Steps {
		fmt.Fprintln(&b, s)
		total.Added += s.Added
		total.Removed += s.Removed
		total.Changed += s.Changed
	}
	printNames(&b, "unchanged", p.Unchanged)
	printNames(&b, "ignored", p.Ignored)
	for _, n := range p.Warnings {
		fmt.Fprintln(&b, "warning", n)
	}
	for _, n := range p.Normal {
		fmt.Fprintln(&b, "normal", n)
	}
	for _, d := range p.Hints {
		if d.Mode != hints.None && d.Mode != hints.Given && d.Mode != hints.Keep {
			fmt.Fprintf(&b, "hints %s %s: %s\n", d.AddressType, d.Mode, d)
		}
	}
	fmt.Fprint(&b, "total ", notation.Count(len(p.Steps), "write"))
	if len(p.Steps) > 0 {
		fmt.Fprintf(&b, ", endpoints +%d -%d ~%d", total.Added, total.Removed, total.Changed)
	}
	fmt.Fprintln(&b)
	return b.String()
}

func printNames(b *strings.Builder, title string, list []*discoveryv1.EndpointSlice) {
	for i, s := range list {
		if i == 0 {
			b.WriteString(title)
		}
		b.WriteString(" " + quote.Text(cmp.Or(s, &discoveryv1.EndpointSlice{}).Name))
		if i == len(list)-1 {
			b.WriteByte('\n')
		}
	}
}

// String returns the step on one line: the endpoints that the slice loses (-), gets (+) and changes
// (~), by address and condition, and the reasons.
func (s Step) String() string {
	slice := cmp.Or(s.New, s.Old)
	if slice == nil {
		return s.Verb
	}
	text := s.Verb + " " + quote.Text(slice.Name)
	old, now := cmp.Or(s.Old, &discoveryv1.EndpointSlice{}), cmp.Or(s.New, &discoveryv1.EndpointSlice{})
	if s.Old == nil {
		text += " " + notation.AddressType(slice.AddressType) + " " + ports(slice)
	}
	if list := changes(old.Endpoints, now.Endpoints); len(list) > 0 {
		text += ": " + notation.Join(list)
	}
	if s.Old != nil && s.New != nil && ports(old) != ports(now) {
		text += " ports " + ports(old) + "->" + ports(now)
	}
	return text + " (" + strings.Join(s.Reasons, ", ") + ")"
}

// ports prints the ports of a slice with the API server's defaults.
func ports(s *discoveryv1.EndpointSlice) string {
	if len(s.Ports) == 0 {
		return "none"
	}
	return notation.Ports(endpoint.APIPorts(endpoint.Ports(nil, s.Ports)))
}

// changes lists what differs between two lists of endpoints, in canonical order.
func changes(old, now []discoveryv1.Endpoint) (list []notation.Item) {
	had, has := map[endpoint.Identity]*discoveryv1.Endpoint{}, map[endpoint.Identity]bool{}
	for i := range old {
		had[endpoint.IdentityOf(&old[i])] = &old[i]
	}
	var added, changed []notation.Item
	for _, e := range notation.Sorted(now) {
		id := endpoint.IdentityOf(&e)
		has[id] = true
		if was := had[id]; was == nil {
			added = append(added, printed("+", &e))
		} else if endpoint.Compare(was, &e) != 0 {
			changed = append(changed, printed("~", &e))
		}
	}
	for _, e := range notation.Sorted(old) {
		if !has[endpoint.IdentityOf(&e)] {
			list = append(list, printed("-", &e))
		}
	}
	return slices.Concat(list, added, changed)
}

// printed prints an endpoint with the conditions that are not those of a ready one.
func printed(sign string, e *discoveryv1.Endpoint) notation.Item {
	var fields []notation.Field
	state := conditions.Of(e.Conditions)
	add := func(text string, holds bool) {
		if holds {
			fields = append(fields, notation.Field{Text: text})
		}
	}
	add("!ready", !state.Ready)
	add("serving", state.Serving && !state.Ready)
	add("!serving", !state.Serving && state.Ready)
	add("terminating", state.Terminating)
	return notation.Item{Sign: sign, Addresses: notation.Addresses(e.Addresses), Suffix: notation.Braces(fields)}
}
