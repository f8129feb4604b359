// Package notation prints the objects of plans and scenarios as short text:
//
//	web-a ipv4 rv=7 | http:80 https:443/udp | 10.0.0.1 10.0.0.2{pod=web-2,!ready} 10.0.0.5..9
//
// An endpoint is printed as its addresses, joined by commas, and the fields that are set, in
// braces. A true condition is printed as its name, and a false condition as ! and its name. Two
// dots stand for a range of consecutive addresses that have the same fields. A text that contains a
// character of this notation is quoted as in Go. A dash stands for an empty list.
package notation

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
)

// Field is a field that is set in an endpoint: its key, and its printed text.
type Field struct{ Key, Text string }

// Endpoint prints an endpoint with all its fields. namespace is the namespace of the endpoint's
// slice. The namespace of a targetRef is printed only if it is another one.
func Endpoint(e *discoveryv1.Endpoint, namespace string) string {
	return Endpoints([]discoveryv1.Endpoint{*e}, namespace)
}

// Endpoints prints endpoints with all their fields, in the given order, with ranges. If there are
// no endpoints, it prints a dash.
func Endpoints(list []discoveryv1.Endpoint, namespace string) string {
	items := make([]Item, len(list))
	for i := range list {
		items[i] = Item{Addresses: Addresses(list[i].Addresses), Suffix: Braces(Fields(&list[i], namespace))}
	}
	return Join(items)
}

// Sorted returns the endpoints in canonical order. The input is not changed.
func Sorted(list []discoveryv1.Endpoint) []discoveryv1.Endpoint {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b discoveryv1.Endpoint) int { return endpoint.Compare(&a, &b) })
	return out
}

// Addresses prints the addresses of one endpoint, or [] if there are none.
func Addresses(addresses []string) string {
	if len(addresses) == 0 {
		return "[]"
	}
	return join(addresses, ",", quote.Text)
}

// join joins the texts of the elements.
func join[E any](list []E, separator string, text func(E) string) string {
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = text(e)
	}
	return strings.Join(texts, separator)
}

// Fields lists the fields of an endpoint that are set, except its addresses, in a fixed order.
func Fields(e *discoveryv1.Endpoint, namespace string) (fs []Field) {
	add := func(key, text string) { fs = append(fs, Field{key, text}) }
	text := func(key string, value *string) {
		if value != nil {
			add(key, key+"="+quote.Text(*value))
		}
	}
	text("host", e.Hostname)
	if r := e.TargetRef; r != nil {
		add("ref", reference(r, namespace))
		if r.UID != "" {
			add("uid", "uid="+quote.Text(string(r.UID)))
		}
		if r.ResourceVersion != "" {
			add("ref-rv", "ref-rv="+quote.Text(r.ResourceVersion))
		}
	}
	text("node", e.NodeName)
	text("zone", e.Zone)
	condition := func(key string, value *bool) {
		if value != nil && *value {
			add(key, key)
		} else if value != nil {
			add(key, "!"+key)
		}
	}
	condition("ready", e.Conditions.Ready)
	condition("serving", e.Conditions.Serving)
	condition("terminating", e.Conditions.Terminating)
	if h := e.Hints; h != nil {
		zones := join(h.ForZones, "+", func(z discoveryv1.ForZone) string { return quote.Text(z.Name) })
		nodes := join(h.ForNodes, "+", func(n discoveryv1.ForNode) string { return quote.Text(n.Name) })
		if zones != "" || nodes == "" {
			add("hints", "hints="+orDash(zones))
		}
		if nodes != "" {
			add("node-hints", "node-hints="+nodes)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(e.DeprecatedTopology)) {
		add("topology."+k, "topology."+quote.Text(k)+"="+quote.Text(e.DeprecatedTopology[k]))
	}
	return fs
}

func reference(r *corev1.ObjectReference, namespace string) string {
	name := quote.Text(r.Name)
	if r.Namespace != namespace {
		name = strings.Trim(quote.Text(r.Namespace), `"`) + "/" + name
	}
	if r.Kind == "Pod" {
		return "pod=" + name
	}
	return "ref=" + quote.Text(r.Kind) + "/" + name
}

// Braces prints fields in the form that follows an address, or nothing if there are none.
func Braces(fs []Field) string {
	if len(fs) == 0 {
		return ""
	}
	return "{" + join(fs, ",", func(f Field) string { return f.Text }) + "}"
}

func orDash(s string) string { return cmp.Or(s, "-") }
