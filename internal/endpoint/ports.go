package endpoint

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/quote"
)

// AnyPort stands for a port whose number is nil, which means all ports. It is outside of int32, so
// that it cannot be mistaken for a port number.
const AnyPort = math.MinInt64

// Protocols are the protocols that a port can have.
var Protocols = [...]corev1.Protocol{corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP}

// Protocol returns the protocol of a Service's or a container's port with the API server's default:
// an empty one is TCP.
func Protocol(p corev1.Protocol) corev1.Protocol {
	return cmp.Or(p, corev1.ProtocolTCP)
}

// Port is one port with the API server's defaults: a nil name is "", and a nil protocol is TCP.
type Port struct {
	Name        string
	Protocol    corev1.Protocol
	Number      int64 // AnyPort if the API value is nil
	AppProtocol string
}

// PortOf returns a port with the API server's defaults. An empty appProtocol counts as no
// appProtocol.
func PortOf(p *discoveryv1.EndpointPort) Port {
	port := Port{Name: Text(p.Name), Protocol: corev1.ProtocolTCP, Number: AnyPort, AppProtocol: Text(p.AppProtocol)}
	if p.Protocol != nil {
		port.Protocol = *p.Protocol
	}
	if p.Port != nil {
		port.Number = int64(*p.Port)
	}
	return port
}

// Compare orders ports by name, protocol, number and appProtocol.
func (p Port) Compare(q Port) int {
	return cmp.Or(
		cmp.Compare(p.Name, q.Name), cmp.Compare(p.Protocol, q.Protocol),
		cmp.Compare(p.Number, q.Number), cmp.Compare(p.AppProtocol, q.AppProtocol),
	)
}

// String returns name:number. The number of AnyPort is printed as *, and /protocol follows if the
// protocol is not TCP.
func (p Port) String() string {
	number := "*"
	if p.Number != AnyPort {
		number = strconv.FormatInt(p.Number, 10)
	}
	if p.Name != "" {
		number = quote.Text(p.Name) + ":" + number
	}
	if p.Protocol != corev1.ProtocolTCP {
		number += "/" + quote.Text(string(p.Protocol))
	}
	return number
}

// Ports appends the ports to buf, in canonical form and order.
func Ports(buf []Port, ports []discoveryv1.EndpointPort) []Port {
	start := len(buf)
	for i := range ports {
		buf = append(buf, PortOf(&ports[i]))
	}
	slices.SortFunc(buf[start:], Port.Compare)
	return buf
}

// PortsKey returns a text that only equal lists have.
func PortsKey(ports []Port) string {
	var key []byte
	for i := range ports {
		p := &ports[i]
		key = strconv.AppendQuote(key, p.Name)
		key = strconv.AppendQuote(key, string(p.Protocol))
		key = strconv.AppendInt(key, p.Number, 10)
		key = strconv.AppendQuote(key, p.AppProtocol)
	}
	return string(key)
}

// APIPorts returns canonical ports as API values, with all defaults written out.
func APIPorts(ports []Port) []discoveryv1.EndpointPort {
	out, values := make([]discoveryv1.EndpointPort, len(ports)), make([]PortValues, len(ports))
	for i := range ports {
		out[i] = values[i].Port(&ports[i])
	}
	return out
}

// PortValues has the values to which the fields of an EndpointPort point.
type PortValues struct {
	name, appProtocol string
	protocol          corev1.Protocol
	number            int32
}

// Port returns a canonical port as an API value that points into v.
func (v *PortValues) Port(p *Port) (out discoveryv1.EndpointPort) {
	v.name = p.Name
	v.protocol = p.Protocol
	v.appProtocol = p.AppProtocol
	out.Name, out.Protocol = &v.name, &v.protocol
	if p.Number != AnyPort {
		v.number = int32(p.Number)
		out.Port = &v.number
	}
	if v.appProtocol != "" {
		out.AppProtocol = &v.appProtocol
	}
	return out
}
