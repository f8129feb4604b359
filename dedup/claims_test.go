package dedup_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/test/gen"
)

// place is where claims meet: one address and number of one service port.
type place struct {
	port   dedup.ServicePortName
	host   string
	number int32
}

// hostOf tells a name that looks like an IP from that IP.
func hostOf(e dedup.Endpoint) string {
	if e.FQDN != "" {
		return "name " + e.FQDN
	}
	return e.Host()
}

// claim is what one slice says about a place.
type claim struct {
	endpoint dedup.Endpoint
	newness  string
}

// String has what decides between claims.
func (c claim) String() string { return fmt.Sprintf("%s of age %v", describe(c.endpoint), c.newness) }

// describe prints an endpoint with its slice, state and target.
func describe(e dedup.Endpoint) string {
	return fmt.Sprintf("%v in %s (%v, target %+v)", e, e.Slice, e.Conditions, targetOf(e))
}

// targetOf is what a targetRef identifies.
func targetOf(e dedup.Endpoint) (t corev1.ObjectReference) {
	if r := e.TargetRef; r != nil {
		t = corev1.ObjectReference{Kind: r.Kind, Namespace: r.Namespace, Name: r.Name, UID: r.UID}
	}
	return t
}

// claims is all that a list of slices says, and by slice what of it is skipped.
type claims struct {
	services []types.NamespacedName
	ports    []dedup.ServicePortName
	places   map[place][]claim
	// addresses are claims to addresses alone, as those of a port without a name and protocol
	addresses map[place][]claim
	problems  map[types.NamespacedName][]string
}

// readClaims reads slices one by one, with no thought of speed.
func readClaims(list []*discoveryv1.EndpointSlice, o dedup.Options) claims {
	services, ports := map[types.NamespacedName]bool{}, map[dedup.ServicePortName]bool{}
	out := claims{
		places: map[place][]claim{}, addresses: map[place][]claim{}, problems: map[types.NamespacedName][]string{},
	}
	for _, s := range list {
		if s == nil || s.Name == "" || s.Namespace == "" {
			continue
		}
		problem := func(reasons ...string) {
			name := types.NamespacedName{Namespace: s.Namespace, Name: s.Name}
			out.problems[name] = append(out.problems[name], reasons...)
		}
		service := s.Labels[discoveryv1.LabelServiceName]
		counts := service != "" || s.Labels[gen.LabelCluster] == "" // else a label may say that it is of something else
		if o.ServiceLabel != "" {
			service = s.Labels[o.ServiceLabel]
			counts = service != "" // every drawn slice has another label
		}
		if service == "" && counts {
			problem("NoService")
		}
		if service == "" || !counts {
			continue
		}
		name := types.NamespacedName{Namespace: s.Namespace, Name: service}
		services[name] = true
		if !slices.Contains(endpoint.AddressTypes[:], s.AddressType) {
			problem("UnknownAddressType")
		}
		if !wantsType(o, s.AddressType) {
			continue
		}
		usable, bad := usablePorts(s.Ports, o)
		for port, number := range usable {
			port.Service = name
			ports[port] = true
			for i := range s.Endpoints {
				out.add(out.places, port, number, s, &s.Endpoints[i], o)
			}
		}
		for i := range s.Endpoints {
			out.add(out.addresses, dedup.ServicePortName{Service: name}, 0, s, &s.Endpoints[i], o)
		}
		problem(append(bad, badAddresses(s, o)...)...)
	}
	out.services = slices.SortedFunc(maps.Keys(services), func(a, b types.NamespacedName) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	out.ports = slices.SortedFunc(maps.Keys(ports), comparePorts)
	return out
}

func comparePorts(a, b dedup.ServicePortName) int {
	return cmp.Or(cmp.Compare(a.Service.Namespace, b.Service.Namespace), cmp.Compare(a.Service.Name, b.Service.Name),
		cmp.Compare(a.Port, b.Port), cmp.Compare(a.Protocol, b.Protocol))
}

func wantsType(o dedup.Options, t discoveryv1.AddressType) bool {
	if len(o.AddressTypes) == 0 {
		return t == discoveryv1.AddressTypeIPv4 || t == discoveryv1.AddressTypeIPv6
	}
	return slices.Contains(o.AddressTypes, t)
}

// usablePorts returns the ports that have one meaning, with their number, 0 for any, and why others
// have not.
func usablePorts(list []discoveryv1.EndpointPort,
	o dedup.Options) (map[dedup.ServicePortName]int32, []string) {
	var bad []string
	numbers := map[dedup.ServicePortName]map[int32]bool{}
	for i := range list {
		p := endpoint.PortOf(&list[i])
		number := int32(0)
		if list[i].Port != nil {
			number = *list[i].Port
		}
		switch {
		case list[i].Port != nil && (number < 1 || number > 65535):
			bad = append(bad, "BadNumber")
			continue
		case list[i].Port == nil && !o.AnyPort:
			bad = append(bad, "NoNumber")
			continue
		}
		port := dedup.ServicePortName{Port: p.Name, Protocol: cmp.Or(p.Protocol, corev1.ProtocolTCP)}
		if numbers[port] == nil {
			numbers[port] = map[int32]bool{}
		}
		numbers[port][number] = true
	}
	out := map[dedup.ServicePortName]int32{}
	for port, set := range numbers {
		if len(set) > 1 {
			bad = append(bad, "BadNumber")
			continue
		}
		for number := range set {
			out[port] = number
		}
	}
	return out, bad
}

// badAddresses are the reasons for which addresses of a slice are skipped.
func badAddresses(s *discoveryv1.EndpointSlice, o dedup.Options) (bad []string) {
	more := false
	for _, e := range s.Endpoints {
		if len(e.Addresses) == 0 {
			bad = append(bad, "BadAddress")
		} else if !o.AllAddresses {
			more, e.Addresses = more || len(e.Addresses) > 1, e.Addresses[:1]
		}
		for _, text := range e.Addresses {
			if _, ok := hostIn(s, text); !ok {
				bad = append(bad, "BadAddress")
			}
		}
	}
	if more {
		bad = append(bad, "MoreAddresses")
	}
	return bad
}

// add adds the claims of one endpoint. A claim that repeats one of the same slice is none.
func (c *claims) add(to map[place][]claim, port dedup.ServicePortName, number int32, s *discoveryv1.EndpointSlice,
	e *discoveryv1.Endpoint, o dedup.Options) {
	addresses := e.Addresses
	if !o.AllAddresses && len(addresses) > 1 {
		addresses = addresses[:1]
	}
	for _, text := range addresses {
		claimed := claim{endpoint: claimedEndpoint(s, e, number), newness: newness(s)}
		claimed.endpoint.AppProtocol, claimed.endpoint.Labels = appProtocol(s, port, o), askedLabels(s, o)
		addr, ok := hostIn(s, text)
		if !ok {
			continue
		}
		if claimed.endpoint.Address = addr; s.AddressType == discoveryv1.AddressTypeFQDN {
			claimed.endpoint.FQDN = strings.TrimSuffix(text, ".")
		}
		at := place{port, hostOf(claimed.endpoint), number}
		if !slices.ContainsFunc(to[at], func(o claim) bool {
			return o.endpoint.Slice == s.Name && sameClaim(o.endpoint, claimed.endpoint)
		}) {
			to[at] = append(to[at], claimed)
		}
	}
}

// hostIn reads an address of a slice, and says whether it is one; a name is the zero Addr.
func hostIn(s *discoveryv1.EndpointSlice, text string) (netip.Addr, bool) {
	if s.AddressType == discoveryv1.AddressTypeFQDN {
		return netip.Addr{}, strings.TrimSuffix(text, ".") != ""
	}
	addr, ok := endpoint.Addr(text)
	return addr, ok && addr.String() != "::" && addr.Is4() == (s.AddressType == discoveryv1.AddressTypeIPv4)
}

// appProtocol is the first text, in their order, that the slice's ports of a name and protocol
// have.
func appProtocol(s *discoveryv1.EndpointSlice, port dedup.ServicePortName, o dedup.Options) string {
	var texts []string
	for i := range s.Ports {
		p := endpoint.PortOf(&s.Ports[i])
		if p.Name == port.Port && cmp.Or(p.Protocol, corev1.ProtocolTCP) == port.Protocol &&
			p.AppProtocol != "" {
			texts = append(texts, p.AppProtocol)
		}
	}
	slices.Sort(texts)
	return append(texts, "")[0]
}

// askedLabels are the labels of a slice that the options name, nil for none.
func askedLabels(s *discoveryv1.EndpointSlice, o dedup.Options) map[string]string {
	labels := maps.Clone(s.Labels)
	maps.DeleteFunc(labels, func(key, _ string) bool { return !slices.Contains(o.Labels, key) })
	if len(labels) == 0 {
		return nil
	}
	return labels
}

func claimedEndpoint(s *discoveryv1.EndpointSlice, e *discoveryv1.Endpoint, number int32) dedup.Endpoint {
	return dedup.Endpoint{
		Port: number, Conditions: conditions.Of(e.Conditions), Slice: s.Name, TargetRef: e.TargetRef, Hints: e.Hints,
		Hostname: endpoint.Text(e.Hostname), NodeName: endpoint.Text(e.NodeName), Zone: endpoint.Text(e.Zone),
	}
}

// newness is greater for newer slices: those with a version that counts are newer than those with a
// time, and these newer than those that do not say.
func newness(s *discoveryv1.EndpointSlice) string {
	if v := s.ResourceVersion; v != "" && strings.Trim(v, "0123456789") == "" {
		v = strings.TrimLeft(v, "0")
		return fmt.Sprintf("version of %04d digits %s", len(v), v)
	}
	at, err := time.Parse(time.RFC3339Nano, s.Annotations[corev1.EndpointsLastChangeTriggerTime])
	if err != nil {
		return ""
	}
	return at.UTC().Format("time 2006-01-02T15:04:05.000000000")
}

// sameClaim compares all fields but the slice's name and the port number.
func sameClaim(a, b dedup.Endpoint) bool { return a.Host() == b.Host() && !differ(a, b) }
