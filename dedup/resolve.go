package dedup

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// PortMatch says what a slice has to say about a service port.
type PortMatch uint8

const (
	// NoPorts: the slice has no ports at all, "for other purposes" than being reached. So does a nil slice.
	NoPorts PortMatch = iota
	// NoMatch: no port of the slice has this name and protocol.
	NoMatch
	// MatchNumber: the port has this number.
	MatchNumber
	// MatchAny: the port has no number, which means all ports (S4). What to do is the caller's choice: kube-proxy
	// drops it, others take the Service's targetPort.
	MatchAny
	// MatchBad: the number is not 1 to 65535, or several ports of this name and protocol have different numbers.
	MatchBad
)

// ResolvePort finds the port of a slice by the name and protocol of a Service's port. An empty protocol is TCP, here
// and there, and a nil name "". The number is 0 unless the answer is MatchNumber.
func ResolvePort(slice *discoveryv1.EndpointSlice, name string, protocol corev1.Protocol) (int32, PortMatch) {
	if slice == nil || len(slice.Ports) == 0 {
		return 0, NoPorts
	}
	protocol = cmp.Or(protocol, corev1.ProtocolTCP)
	number, match := int32(0), NoMatch
	for i := range slice.Ports {
		p := endpoint.PortOf(&slice.Ports[i])
		if p.Name != name || cmp.Or(p.Protocol, corev1.ProtocolTCP) != protocol {
			continue
		}
		n, m := int32(p.Number), MatchNumber
		switch {
		case slice.Ports[i].Port == nil:
			n, m = 0, MatchAny
		case n < 1 || n > 65535:
			return 0, MatchBad
		}
		if match != NoMatch && (n != number || m != match) {
			return 0, MatchBad
		}
		number, match = n, m
	}
	return number, match
}
