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
	if slice == nil {
		return 0, NoPorts
	}
	number, _, match := resolve(slice.Ports, content.PortName{Name: name, Protocol: content.Protocol(protocol)})
	return number, match
}

// resolve is ResolvePort, with the application protocol: of several ports of the name and protocol the first text.
func resolve(ports []discoveryv1.EndpointPort, name content.PortName) (number int32, app string, match PortMatch) {
	if len(ports) == 0 {
		return 0, "", NoPorts
	}
	match = NoProtocol
	for i := range ports {
		p := endpoint.PortOf(&ports[i])
		if content.Protocol(p.Protocol) != name.Protocol {
			continue
		}
		if p.Name != name.Name {
			if match == NoProtocol {
				match = NoName
			}
			continue
		}
		if p.AppProtocol != "" && (app == "" || p.AppProtocol < app) {
			app = p.AppProtocol
		}
		switch good := p.Number >= 1 && p.Number <= 65535; {
		case number < 0: // several
		case good && number != 0 && number != int32(p.Number):
			number, match = -1, MatchBad
		case good:
			number, match = int32(p.Number), MatchNumber
		case match == MatchNumber:
		case ports[i].Port == nil:
			match = MatchAny
		case match != MatchAny:
			match = MatchBad
		}
	}
	return max(number, 0), app, match
}
