package conformance

import (
	"fmt"
	"net/netip"
	"sort"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// What endpoints and ports mean, as text that is equal when they mean the same. It is written here anew, so that the
// oracle shares no code with the library.

// portsOf is a port set in any order, with the API server's defaults.
func portsOf(s *discoveryv1.EndpointSlice) string {
	list := make([]string, 0, len(s.Ports))
	for _, p := range s.Ports {
		number := "all"
		if p.Port != nil {
			number = fmt.Sprint(*p.Port)
		}
		protocol := "TCP"
		if p.Protocol != nil {
			protocol = string(*p.Protocol)
		}
		list = append(list, fmt.Sprintf("%s:%s/%s/%s", text(p.Name), number, protocol, text(p.AppProtocol)))
	}
	sort.Strings(list)
	return strings.Join(list, " ")
}

// describeEndpoint is all of an endpoint: what it means, and its hints.
func describeEndpoint(e *discoveryv1.Endpoint) string { return meaning(e) + hintsOf(e) }

// meaning is an endpoint without hints.
func meaning(e *discoveryv1.Endpoint) string {
	var b strings.Builder
	b.WriteString(strings.Join(addressesOf(e), "+"))
	for _, c := range []struct {
		word string
		is   bool
	}{{"ready", isReady(e)}, {"serving", isTrue(e.Conditions.Serving, true)}, {"terminating", isTrue(e.Conditions.Terminating, false)}} {
		if c.is {
			b.WriteString(" " + c.word)
		}
	}
	fmt.Fprintf(&b, " host=%s node=%s zone=%s", text(e.Hostname), text(e.NodeName), text(e.Zone))
	if r := e.TargetRef; r != nil {
		fmt.Fprintf(&b, " %s/%s/%s/%s", r.Kind, r.Namespace, r.Name, r.UID)
	}
	return b.String()
}

// hintsOf is an endpoint's hints, "" for none.
func hintsOf(e *discoveryv1.Endpoint) string {
	var b strings.Builder
	if e.Hints != nil {
		for _, z := range e.Hints.ForZones {
			b.WriteString(" >zone:" + z.Name)
		}
		for _, n := range e.Hints.ForNodes {
			b.WriteString(" >node:" + n.Name)
		}
	}
	return b.String()
}

// place is which endpoint it is, on which port set.
func place(s *discoveryv1.EndpointSlice, e *discoveryv1.Endpoint) string {
	return groupOf(s) + " " + anyPorts(s, e)
}

// anyPorts is which endpoint it is, whatever its ports.
func anyPorts(s *discoveryv1.EndpointSlice, e *discoveryv1.Endpoint) string {
	return fmt.Sprintf("%s %s %s %s", s.AddressType, strings.Join(addressesOf(e), "+"), text(e.Hostname), targetName(e))
}

// groupOf is a slice's address type and ports.
func groupOf(s *discoveryv1.EndpointSlice) string {
	return string(s.AddressType) + " [" + portsOf(s) + "]"
}

func targetName(e *discoveryv1.Endpoint) string {
	if e.TargetRef == nil {
		return ""
	}
	return e.TargetRef.Namespace + "/" + e.TargetRef.Name
}

func addressesOf(e *discoveryv1.Endpoint) []string {
	list := make([]string, 0, len(e.Addresses))
	for _, a := range e.Addresses {
		if ip, err := netip.ParseAddr(a); err == nil {
			a = ip.Unmap().String()
		}
		list = append(list, a)
	}
	sort.Strings(list)
	return list
}

func isReady(e *discoveryv1.Endpoint) bool { return isTrue(e.Conditions.Ready, true) }

func isTrue(value *bool, otherwise bool) bool {
	if value == nil {
		return otherwise
	}
	return *value
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
