package dedup

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// PortMatch says what a slice has to say about a service port.
type PortMatch string

const (
	// NoPorts: the slice has no ports at all, so that it does not say how to reach its endpoints. A nil slice counts as one.
	NoPorts PortMatch = "NoPorts"
	// NoName: ports of the slice have this protocol, and none of them has this name.
	NoName PortMatch = "NoName"
	// NoProtocol: no port of the slice has this protocol, whatever its name.
	NoProtocol PortMatch = "NoProtocol"
	// MatchNumber: the port has this number. Ports of the same name and protocol that have no number, or none of 1 to 65535,
	// do not count beside it.
	MatchNumber PortMatch = "MatchNumber"
	// MatchAny: the port has no number, which the API lets mean all ports. What to do is the caller's choice: kube-proxy
	// drops it, others take the Service's targetPort.
	MatchAny PortMatch = "MatchAny"
	// MatchBad: the number is not 1 to 65535, or several ports of this name and protocol have different numbers.
	MatchBad PortMatch = "MatchBad"
)

// ResolvePort finds the port of a slice by the name and protocol of a Service's port. An empty protocol is TCP, here
// and there, and a nil name "". The number is 0 unless the answer is MatchNumber.
func ResolvePort(slice *discoveryv1.EndpointSlice, name string, protocol corev1.Protocol) (int32, PortMatch) {
	if slice == nil || len(slice.Ports) == 0 {
		return 0, NoPorts
	}
	protocol = content.Protocol(protocol)
	number, match := int32(0), NoProtocol
	for i := range slice.Ports {
		p := endpoint.PortOf(&slice.Ports[i])
		switch good := p.Number >= 1 && p.Number <= 65535; {
		case content.Protocol(p.Protocol) != protocol:
		case p.Name != name:
			if match == NoProtocol {
				match = NoName
			}
		case good && number != 0 && number != int32(p.Number):
			return 0, MatchBad
		case good:
			number, match = int32(p.Number), MatchNumber
		case number != 0:
		case slice.Ports[i].Port == nil:
			match = MatchAny
		case match != MatchAny:
			match = MatchBad
		}
	}
	return number, match
}
