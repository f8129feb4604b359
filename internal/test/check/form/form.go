// Package form is the normal forms that the checks of several packages compare by: of addresses, of
// port sets, and of the order of endpoints; and how the checks show endpoints and slices.
package form

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/test/sim"
)

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

// GroupKey names an address type with a port set in normal form.
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
