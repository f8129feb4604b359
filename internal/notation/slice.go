package notation

import (
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
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
		text = quote.Text(*p.Name) + ":" + text
	}
	if p.Protocol == nil {
		text += "/?"
	} else if *p.Protocol != corev1.ProtocolTCP {
		text += "/" + quote.Text(strings.ToLower(string(*p.Protocol)))
	}
	if p.AppProtocol != nil {
		text += "(" + quote.Text(*p.AppProtocol) + ")"
	}
	return text
}
