package scenario

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// fields splits a line at spaces that are neither in quotes nor in braces.
func fields(line string) []string { return split(line, ' ') }

// split cuts s at the separator, where that is outside quotes and braces, and leaves out empty
// parts.
func split(s string, separator byte) []string {
	var parts []string
	depth := 0
	quoted := false
	start := 0
	for i := 0; i <= len(s); i++ {
		if i == len(s) || s[i] == separator && depth == 0 && !quoted {
			if i > start {
				parts = append(parts, s[start:i])
			}
			start = i + 1
			continue
		}
		switch {
		case s[i] == '\\' && quoted:
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == '{' && !quoted:
			depth++
		case s[i] == '}' && !quoted:
			depth--
		}
	}
	return parts
}

// unquote undoes quote.Text.
func unquote(s string) (string, error) {
	if strings.HasPrefix(s, `"`) {
		return strconv.Unquote(s)
	}
	return s, nil
}

// ParseEndpoints reads what notation.Endpoints prints. namespace is that of targetRefs which name
// none.
func ParseEndpoints(text, namespace string) ([]discoveryv1.Endpoint, error) {
	var list []discoveryv1.Endpoint
	for _, word := range fields(text) {
		if word == "-" {
			continue
		}
		addresses := split(word, '{')[0]
		braces := strings.TrimPrefix(word[len(addresses):], "{")
		spans, err := addressLists(addresses)
		if err != nil {
			return nil, err
		}
		for _, addresses := range spans {
			e := discoveryv1.Endpoint{Addresses: addresses}
			for _, f := range split(strings.TrimSuffix(braces, "}"), ',') {
				if k, ok := strings.CutPrefix(f, "topology."); ok {
					k, value, _ := strings.Cut(k, "=")
					if value, err = unquote(value); err != nil {
						return nil, err
					}
					put(&e.DeprecatedTopology, k, value)
				} else if err := Words(endpointIn{&e, namespace}, []string{f}, endpointWords); err != nil {
					return nil, fmt.Errorf("endpoint %s: %w", word, err)
				}
			}
			list = append(list, e)
		}
	}
	return list, nil
}

// addressLists reads the addresses of one endpoint, or of a run of endpoints.
func addressLists(text string) ([][]string, error) {
	if text == "[]" {
		return [][]string{nil}, nil
	}
	if first, last, ok := strings.Cut(text, ".."); ok && !strings.HasPrefix(text, `"`) {
		return span(first, last)
	}
	var addresses []string
	for _, a := range split(text, ',') {
		a, err := unquote(a)
		if err != nil {
			return nil, err
		}
		addresses = append(addresses, a)
	}
	return [][]string{addresses}, nil
}

func span(first, last string) ([][]string, error) {
	if !strings.ContainsAny(last, ".:") {
		last = first[:strings.LastIndexByte(first, '.')+1] + last
	}
	from, err := netip.ParseAddr(first)
	if err != nil {
		return nil, err
	}
	to, err := netip.ParseAddr(last)
	if err != nil {
		return nil, err
	}
	var lists [][]string
	for a := from; a.Compare(to) <= 0; a = a.Next() {
		lists = append(lists, []string{a.String()})
	}
	return lists, nil
}

// endpointIn is an endpoint, and the namespace of references that name none.
type endpointIn struct {
	*discoveryv1.Endpoint
	namespace string
}

// endpointWords are the fields of an endpoint as notation.Fields prints them, except topology.
var endpointWords = map[string]func(e endpointIn, key, value string){
	"ready":        func(e endpointIn, _, _ string) { e.Conditions.Ready = truth(true) },
	"!ready":       func(e endpointIn, _, _ string) { e.Conditions.Ready = truth(false) },
	"serving":      func(e endpointIn, _, _ string) { e.Conditions.Serving = truth(true) },
	"!serving":     func(e endpointIn, _, _ string) { e.Conditions.Serving = truth(false) },
	"terminating":  func(e endpointIn, _, _ string) { e.Conditions.Terminating = truth(true) },
	"!terminating": func(e endpointIn, _, _ string) { e.Conditions.Terminating = truth(false) },
	"host":         func(e endpointIn, _, value string) { e.Hostname = &value },
	"node":         func(e endpointIn, _, value string) { e.NodeName = &value },
	"zone":         func(e endpointIn, _, value string) { e.Zone = &value },
	"pod":          func(e endpointIn, _, value string) { e.refer("Pod", value) },
	"ref": func(e endpointIn, _, value string) {
		kind, rest, _ := strings.Cut(value, "/")
		e.refer(kind, rest)
	},
	"uid":    func(e endpointIn, _, value string) { target(e.Endpoint).UID = types.UID(value) },
	"ref-rv": func(e endpointIn, _, value string) { target(e.Endpoint).ResourceVersion = value },
	"hints": func(e endpointIn, _, value string) {
		hintsOf(e.Endpoint).ForZones = []discoveryv1.ForZone{}
		for _, z := range split(value, '+') {
			if z != "-" {
				e.Hints.ForZones = append(e.Hints.ForZones, discoveryv1.ForZone{Name: z})
			}
		}
	},
	"node-hints": func(e endpointIn, _, value string) {
		for _, n := range split(value, '+') {
			hintsOf(e.Endpoint).ForNodes = append(hintsOf(e.Endpoint).ForNodes, discoveryv1.ForNode{Name: n})
		}
	},
}

func truth(value bool) *bool { return &value }

func (e endpointIn) refer(kind, name string) {
	r := target(e.Endpoint)
	r.Kind = kind
	r.Namespace = e.namespace
	r.Name = name
	if ns, n, ok := strings.Cut(name, "/"); ok {
		r.Namespace, r.Name = ns, n
	}
}

func target(e *discoveryv1.Endpoint) *corev1.ObjectReference {
	if e.TargetRef == nil {
		e.TargetRef = &corev1.ObjectReference{}
	}
	return e.TargetRef
}

func hintsOf(e *discoveryv1.Endpoint) *discoveryv1.EndpointHints {
	if e.Hints == nil {
		e.Hints = &discoveryv1.EndpointHints{}
	}
	return e.Hints
}

// ParsePorts reads what notation.Ports prints; nil for a dash, and empty but not nil for [].
func ParsePorts(text string) ([]discoveryv1.EndpointPort, error) {
	if text == "-" {
		return nil, nil
	}
	ports := []discoveryv1.EndpointPort{}
	if text == "[]" {
		return ports, nil
	}
	for _, word := range split(text, ',') {
		p, err := parsePort(word)
		if err != nil {
			return nil, fmt.Errorf("port %s: %w", word, err)
		}
		ports = append(ports, p)
	}
	return ports, nil
}

func parsePort(text string) (discoveryv1.EndpointPort, error) {
	var p discoveryv1.EndpointPort
	text, app, ok := strings.Cut(text, "(")
	if ok {
		app = strings.TrimSuffix(app, ")")
		p.AppProtocol = &app
	}
	if i := strings.LastIndexByte(text, ':'); i >= 0 {
		name := text[:i]
		p.Name, text = &name, text[i+1:]
	}
	number, proto, ok := strings.Cut(text, "/")
	if protocol := corev1.Protocol(strings.ToUpper(proto)); ok && proto != "?" {
		p.Protocol = &protocol
	} else if !ok {
		protocol = corev1.ProtocolTCP
		p.Protocol = &protocol
	}
	if number != "*" {
		n, err := strconv.ParseInt(number, 10, 32)
		if err != nil {
			return p, err
		}
		n32 := int32(n)
		p.Port = &n32
	}
	return p, nil
}

// addressType reads ipv4, ipv6 or fqdn; a dash is the type of the endpoints' first address, IPv4
// where there is none.
func addressType(text string, endpoints []discoveryv1.Endpoint) discoveryv1.AddressType {
	switch text {
	case "ipv4":
		return discoveryv1.AddressTypeIPv4
	case "ipv6":
		return discoveryv1.AddressTypeIPv6
	case "fqdn":
		return discoveryv1.AddressTypeFQDN
	case "-":
	default:
		return discoveryv1.AddressType(text)
	}
	if len(endpoints) > 0 && len(endpoints[0].Addresses) > 0 {
		return endpoint.AddressType(endpoints[0].Addresses[0])
	}
	return discoveryv1.AddressTypeIPv4
}
