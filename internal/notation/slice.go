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
// web:443(kubernetes.io/h2c), any:*. An empty name is left out, and for a nil name the colon as
// well. TCP is left out. A nil protocol is /?.
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

// SamePorts reports whether the API server takes two lists of ports for the same: in any order,
// with nil names as "" and nil protocols as TCP.
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

// Differences lists how two maps differ, sorted by key: +k=v for a new key, -k for a removed one,
// ~k=v for another value.
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
