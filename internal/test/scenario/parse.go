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

// split cuts s at the separator, where that is outside quotes and braces, and leaves out empty parts.
func split(s string, separator byte) []string {
	var parts []string
	depth, quoted, start := 0, false, 0
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

// unquote undoes notation.Quote.
func unquote(s string) (string, error) {
	if strings.HasPrefix(s, `"`) {
		return strconv.Unquote(s)
	}
	return s, nil
}

// ParseEndpoints reads what notation.Endpoints prints. namespace is that of targetRefs which name none.
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
				if err := setField(&e, f, namespace); err != nil {
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

// setField sets the field of an endpoint that notation.Fields prints as text.
func setField(e *discoveryv1.Endpoint, text, namespace string) error {
	name, value, hasValue := strings.Cut(text, "=")
	value, err := unquote(value)
	if err != nil {
		return err
	}
	if !hasValue {
		return setCondition(&e.Conditions, name)
	}
	switch name {
	case "host":
		e.Hostname = &value
	case "node":
		e.NodeName = &value
	case "zone":
		e.Zone = &value
	case "pod":
		setReference(e, "Pod", value, namespace)
	case "ref":
		kind, rest, _ := strings.Cut(value, "/")
		setReference(e, kind, rest, namespace)
	case "uid":
		target(e).UID = types.UID(value)
	case "ref-rv":
		target(e).ResourceVersion = value
	case "hints":
		hintsOf(e).ForZones = []discoveryv1.ForZone{}
		for _, z := range split(value, '+') {
			if z != "-" {
				e.Hints.ForZones = append(e.Hints.ForZones, discoveryv1.ForZone{Name: z})
			}
		}
	case "node-hints":
		for _, n := range split(value, '+') {
			hintsOf(e).ForNodes = append(hintsOf(e).ForNodes, discoveryv1.ForNode{Name: n})
		}
	default:
		k, ok := strings.CutPrefix(name, "topology.")
		if !ok {
			return fmt.Errorf("unknown field %s", name)
		}
		if e.DeprecatedTopology == nil {
			e.DeprecatedTopology = map[string]string{}
		}
		e.DeprecatedTopology[k] = value
	}
	return nil
}

func setCondition(c *discoveryv1.EndpointConditions, text string) error {
	name, negated := strings.CutPrefix(text, "!")
	value := !negated
	switch name {
	case "ready":
		c.Ready = &value
	case "serving":
		c.Serving = &value
	case "terminating":
		c.Terminating = &value
	default:
		return fmt.Errorf("unknown condition %s", name)
	}
	return nil
}

func setReference(e *discoveryv1.Endpoint, kind, name, namespace string) {
	if ns, n, ok := strings.Cut(name, "/"); ok {
		namespace, name = ns, n
	}
	r := target(e)
	r.Kind, r.Namespace, r.Name = kind, namespace, name
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

// addressType reads ipv4, ipv6 or fqdn; a dash is the type of the endpoints' first address, IPv4 where there is none.
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
