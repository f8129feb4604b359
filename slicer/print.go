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
)

// String returns the plan as text for people, a line for each step. The slices that are left alone,
// the Warnings, Normal, the decisions on hints and the total follow. Do not parse it.
//
//	create web-7k2qbn4x-ipv4 ipv4 http:80: +10.0.0.1..100 (EndpointsAdded)
//	update web-b: -10.0.0.3 ~10.0.0.4{!ready} (EndpointsRemoved, EndpointsChanged)
//	delete web-c: -10.0.0.7 (NothingLeft)
//	unchanged web-d web-e
//	ignored web-f
//	warning 127.0.0.1: InvalidAddress: Invalid value: "127.0.0.1": may not be in the loopback range
//	total 3 writes, endpoints +100 -2 ~1
func (p Plan) String() string {
	var b strings.Builder
	total := Step{}
	for _, s := range p.Steps {
		fmt.Fprintln(&b, s)
		total.Added, total.Removed, total.Changed = total.Added+s.Added, total.Removed+s.Removed, total.Changed+s.Changed
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
	if len(list) == 0 {
		return
	}
	b.WriteString(title)
	for _, s := range list {
		if s != nil {
			b.WriteString(" " + notation.Quote(s.Name))
		}
	}
	b.WriteByte('\n')
}

// String returns the step on one line: the endpoints that the slice loses (-), gets (+) and changes
// (~), by address and condition, and the reasons.
func (s Step) String() string {
	slice := cmp.Or(s.New, s.Old)
	if slice == nil {
		return s.Verb
	}
	text := s.Verb + " " + notation.Quote(slice.Name)
	var old, now []discoveryv1.Endpoint
	if s.Old == nil {
		text += " " + notation.AddressType(slice.AddressType) + " " + notation.PortsOrNone(slice.Ports)
	} else {
		old = s.Old.Endpoints
	}
	if s.New != nil {
		now = s.New.Endpoints
	}
	if list := changes(old, now); len(list) > 0 {
		text += ": " + notation.Join(list)
	}
	if s.Old != nil && s.New != nil && !notation.SamePorts(s.Old.Ports, s.New.Ports) {
		text += " ports " + notation.PortsOrNone(s.Old.Ports) + "->" + notation.PortsOrNone(s.New.Ports)
	}
	return text + " (" + strings.Join(s.Reasons, ", ") + ")"
}

// changes lists what differs between two lists of endpoints, in canonical order.
func changes(old, now []discoveryv1.Endpoint) (list []notation.Item) {
	type key struct{ addresses, hostname, kind, namespace, name string }
	keyOf := func(e *discoveryv1.Endpoint) key {
		target := endpoint.TargetOf(e)
		return key{
			strings.Join(endpoint.AddressSet(e.Addresses), ","), endpoint.Text(e.Hostname),
			target.Kind, target.Namespace, target.Name,
		}
	}
	had := map[key]*discoveryv1.Endpoint{}
	has := map[key]bool{}
	for i := range old {
		had[keyOf(&old[i])] = &old[i]
	}
	var added, changed []notation.Item
	for _, e := range notation.Sorted(now) {
		k := keyOf(&e)
		has[k] = true
		if was := had[k]; was == nil {
			added = append(added, printed("+", &e))
		} else if endpoint.Compare(was, &e) != 0 {
			changed = append(changed, printed("~", &e))
		}
	}
	for _, e := range notation.Sorted(old) {
		if !has[keyOf(&e)] {
			list = append(list, printed("-", &e))
		}
	}
	return slices.Concat(list, added, changed)
}

// printed prints an endpoint with the conditions that are not those of a ready one.
func printed(sign string, e *discoveryv1.Endpoint) notation.Item {
	var words []string
	state := conditions.Of(e.Conditions)
	if !state.Ready {
		words = append(words, "!ready")
	}
	if state.Serving && !state.Ready {
		words = append(words, "serving")
	} else if !state.Serving && state.Ready {
		words = append(words, "!serving")
	}
	if state.Terminating {
		words = append(words, "terminating")
	}
	text := notation.Item{Sign: sign, Addresses: notation.Addresses(e.Addresses)}
	if len(words) > 0 {
		text.Suffix = "{" + strings.Join(words, ",") + "}"
	}
	return text
}
