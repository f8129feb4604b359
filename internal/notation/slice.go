package notation

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// AddressType prints an address type: ipv4, ipv6 or fqdn.
func AddressType(t discoveryv1.AddressType) string { return orDash(strings.ToLower(string(t))) }

// Ports prints ports in canonical order (name, protocol, number), or a dash if there are none.
func Ports(ports []discoveryv1.EndpointPort) string {
	sorted := slices.Clone(ports)
	slices.SortFunc(sorted, func(a, b discoveryv1.EndpointPort) int {
		return endpoint.PortOf(&a).Compare(endpoint.PortOf(&b))
	})
	return orDash(join(sorted, ",", func(p discoveryv1.EndpointPort) string { return Port(&p) }))
}

// Port prints one port as name:number/protocol(appProtocol): http:80, dns:53/udp,
// web:443(kubernetes.io/h2c), any:*. If the name is empty, only the colon is printed; if it is nil,
// not even the colon. TCP is left out. A nil protocol is printed as /?.
func Port(p *discoveryv1.EndpointPort) string {
	text := "*"
	if p.Port != nil {
		text = strconv.Itoa(int(*p.Port))
	}
	if p.Name != nil && *p.Name == "" {
		text = ":" + text
	} else if p.Name != nil {
		text = Quote(*p.Name) + ":" + text
	}
	if p.Protocol == nil {
		text += "/?"
	} else if *p.Protocol != corev1.ProtocolTCP {
		text += "/" + Quote(strings.ToLower(string(*p.Protocol)))
	}
	if p.AppProtocol != nil {
		text += "(" + Quote(*p.AppProtocol) + ")"
	}
	return text
}

// SamePorts reports whether two lists have the same ports. Their order makes no difference, nil
// names equal "", and nil protocols equal TCP, as in the API server.
func SamePorts(a, b []discoveryv1.EndpointPort) bool {
	return slices.Equal(endpoint.Ports(nil, a), endpoint.Ports(nil, b))
}

// Owner prints the kind, name and UID of an owner reference. A star follows if the owner is the
// controller.
func Owner(o metav1.OwnerReference) string {
	text := Quote(o.Kind) + "/" + Quote(o.Name) + "/" + Quote(string(o.UID))
	if o.Controller != nil && *o.Controller {
		text += "*"
	}
	return text
}

// OwnerFields prints the fields of an owner reference that Owner leaves out.
func OwnerFields(o metav1.OwnerReference) string {
	text := "{api=" + Quote(o.APIVersion)
	if o.BlockOwnerDeletion != nil && *o.BlockOwnerDeletion {
		text += ",block"
	}
	return text + "}"
}

// PortNames returns the names and protocols of ports without their numbers, sorted and each once:
// dns/UDP, http. TCP is left out.
func PortNames(ports []discoveryv1.EndpointPort) []string {
	names := make([]string, 0, len(ports))
	for i := range ports {
		p := endpoint.PortOf(&ports[i])
		name := p.Name
		if p.Protocol != corev1.ProtocolTCP {
			name += "/" + string(p.Protocol)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Metadata lists what an update changes besides the endpoints: ports, labels, annotations and
// owners. For a create or a delete it returns nil.
func Metadata(old, now *discoveryv1.EndpointSlice) []string {
	if old == nil || now == nil {
		return nil
	}
	var words []string
	if !SamePorts(old.Ports, now.Ports) {
		words = append(words, "ports "+PortsOrNone(old.Ports)+"->"+PortsOrNone(now.Ports))
	}
	for _, d := range [...][]string{
		append([]string{"labels"}, Differences(old.Labels, now.Labels)...),
		append([]string{"annotations"}, Differences(old.Annotations, now.Annotations)...),
		append([]string{"owners"}, Owners(old.OwnerReferences, now.OwnerReferences)...),
	} {
		if len(d) > 1 {
			words = append(words, d...)
		}
	}
	return words
}

// PortsOrNone prints ports as Ports does, and "none" if there are none.
func PortsOrNone(ports []discoveryv1.EndpointPort) string {
	if len(ports) == 0 {
		return "none"
	}
	return Ports(ports)
}

// Owners lists how two lists of owner references differ: +owner for an added owner, -owner for a
// removed one, and ~owner, with the fields that Owner leaves out, for an owner that changes in one
// of these.
func Owners(old, now []metav1.OwnerReference) []string {
	had, has := map[string]string{}, map[string]bool{}
	for _, o := range old {
		had[Owner(o)] = OwnerFields(o)
	}
	var words []string
	for _, o := range now {
		text, fields := Owner(o), OwnerFields(o)
		was, ok := had[text]
		has[text] = true
		switch {
		case !ok:
			words = append(words, "+"+text)
		case was != fields:
			words = append(words, "~"+text+fields)
		}
	}
	for _, o := range old {
		if text := Owner(o); !has[text] {
			words = append(words, "-"+text)
		}
	}
	return words
}

// Differences lists how two maps differ, sorted by key: +k=v for an added key, -k for a removed
// key, and ~k=v for a key whose value changes to v.
func Differences(old, now map[string]string) []string {
	all := map[string]string{}
	maps.Copy(all, old)
	maps.Copy(all, now)
	var out []string
	for _, k := range slices.Sorted(maps.Keys(all)) {
		was, had := old[k]
		is, has := now[k]
		switch {
		case !has:
			out = append(out, "-"+Quote(k))
		case !had:
			out = append(out, "+"+Quote(k)+"="+Quote(is))
		case was != is:
			out = append(out, "~"+Quote(k)+"="+Quote(is))
		}
	}
	return out
}

// Defaulted returns ports as the API server stores them, in canonical order: nil names are "", nil
// protocols are TCP, and an empty appProtocol is nil. The input is not changed.
func Defaulted(ports []discoveryv1.EndpointPort) []discoveryv1.EndpointPort {
	return endpoint.APIPorts(endpoint.Ports(nil, ports))
}
