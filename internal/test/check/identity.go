package check

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/sim"
)

// canonical is an address in its one spelling; what is no IP stays as it is.
func canonical(address string) string {
	if ip, ok := sim.LooseIP(address); ok {
		return ip.String()
	}
	return address
}

func canonicalSet(addresses []string) []string {
	var set []string
	for _, a := range addresses {
		set = append(set, canonical(a))
	}
	sort.Strings(set)
	return slices.Compact(set)
}

// addressID is the identity of an endpoint that Kubernetes uses.
func addressID(e *discoveryv1.Endpoint) string {
	id := strings.Join(canonicalSet(e.Addresses), ",")
	if len(e.Addresses) == 0 {
		id = "no address"
	}
	id += "|" + text(e.Hostname)
	if r := e.TargetRef; r != nil {
		return id + fmt.Sprintf("|%s/%s/%s", r.Kind, r.Namespace, r.Name)
	}
	return id + "|//"
}

func uidOf(e *discoveryv1.Endpoint) string {
	if e.TargetRef == nil {
		return ""
	}
	return string(e.TargetRef.UID)
}

// id is the endpoint's identity in the group; one without UID never equals one of a group that goes by UID.
func (g *group) id(e *discoveryv1.Endpoint) string {
	if !g.byUID {
		return addressID(e)
	}
	if uid := uidOf(e); uid != "" {
		return "uid " + uid
	}
	return "no uid " + addressID(e)
}

func portKey(p discoveryv1.EndpointPort) string {
	protocol, number, app := string(corev1.ProtocolTCP), "any", "-"
	if p.Protocol != nil {
		protocol = string(*p.Protocol)
	}
	if p.Port != nil {
		number = fmt.Sprint(*p.Port)
	}
	if p.AppProtocol != nil {
		app = "=" + *p.AppProtocol
	}
	return fmt.Sprintf("%q %s %s %s", text(p.Name), protocol, number, app)
}

// groupKey names an address type with a port set in normal form.
func groupKey(t discoveryv1.AddressType, ports []discoveryv1.EndpointPort) string {
	var keys []string
	for _, p := range ports {
		keys = append(keys, portKey(p))
	}
	sort.Strings(keys)
	return string(t) + " [" + strings.Join(keys, "; ") + "]"
}

func keyOf(s *discoveryv1.EndpointSlice) string { return groupKey(s.AddressType, s.Ports) }

func text(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}
