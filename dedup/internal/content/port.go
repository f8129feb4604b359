package content

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// PortName is what a Service's port is told by. The protocol is not empty.
type PortName struct {
	Name     string
	Protocol corev1.Protocol
}

// Compare orders by name, then by protocol.
func (p PortName) Compare(q PortName) int {
	if c := strings.Compare(p.Name, q.Name); c != 0 {
		return c
	}
	return strings.Compare(string(p.Protocol), string(q.Protocol))
}

// Port is a port of a slice. Number 0 means any.
type Port struct {
	PortName
	Number      uint16
	AppProtocol string
}

// Compare orders by name and protocol, then by number, then by application protocol.
func (p *Port) Compare(q *Port) int {
	if c := p.PortName.Compare(q.PortName); c != 0 {
		return c
	}
	if p.Number != q.Number {
		return int(p.Number) - int(q.Number)
	}
	return strings.Compare(p.AppProtocol, q.AppProtocol)
}

// Protocol is the protocol that is meant: an empty one is TCP.
func Protocol(p corev1.Protocol) corev1.Protocol {
	if p == "" {
		return corev1.ProtocolTCP
	}
	return p
}

// readPorts puts the usable ports of a slice in order, each once.
func (r *Reader) readPorts(ports []discoveryv1.EndpointPort) {
	var appProtocols map[PortName]string // of several ports with a name and protocol the first text
	for i := range ports {
		p := endpoint.PortOf(&ports[i])
		name := PortName{p.Name, Protocol(p.Protocol)}
		if first, has := appProtocols[name]; p.AppProtocol != "" && (!has || p.AppProtocol < first) {
			if appProtocols == nil {
				appProtocols = map[PortName]string{}
			}
			appProtocols[name] = p.AppProtocol
		}
		path := func() *field.Path { return field.NewPath("ports").Index(i).Child("port") }
		switch {
		case ports[i].Port == nil && !r.KeepAnyPort:
			r.problems = append(r.problems, NoNumber(path()))
			continue
		case ports[i].Port == nil:
			p.Number = 0
		case p.Number < 1 || p.Number > 65535:
			r.problems = append(r.problems, BadNumber(path(), p.Number, "must be 1 to 65535"))
			continue
		}
		r.ports = append(r.ports, Port{PortName: name, Number: uint16(p.Number)})
	}
	slices.SortFunc(r.ports, func(a, b Port) int { return a.Compare(&b) })
	r.dropSamePorts(appProtocols)
}

// dropSamePorts keeps each port once. Ports of one name and protocol with several numbers are set aside, because which of them
// is meant is anybody's guess.
func (r *Reader) dropSamePorts(appProtocols map[PortName]string) {
	kept := r.ports[:0]
	for rest := r.ports; len(rest) > 0; {
		first, n := rest[0], 1
		for n < len(rest) && rest[n].PortName == first.PortName {
			n++
		}
		if rest[n-1].Number == first.Number {
			first.AppProtocol = appProtocols[first.PortName]
			kept = append(kept, first)
		} else {
			r.problems = append(r.problems, samePort(&first))
		}
		rest = rest[n:]
	}
	r.ports = kept
}
