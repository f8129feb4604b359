package content

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/dedup/internal/address"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
)

// PortName identifies a port of a Service. The protocol is not empty.
type PortName struct {
	Name     string
	Protocol corev1.Protocol
}

// Compare orders ports by name, then by protocol.
func (p PortName) Compare(q PortName) int {
	return cmp.Or(strings.Compare(p.Name, q.Name), strings.Compare(string(p.Protocol), string(q.Protocol)))
}

// String returns the port in the form of messages.
func (p PortName) String() string { return quote.Port(p.Name, string(p.Protocol)) }

// Port is a port of a slice. If Bad is set, a problem says why it is not used. Otherwise number 0
// means any number (Options.AnyPort).
type Port struct {
	PortName
	Number      uint16
	Bad         bool
	AppProtocol string
}

// PortIndex returns the index of a port in s.Ports, and -1 if the slice does not have the port.
func (s *Slice) PortIndex(name PortName) int32 {
	if len(s.Ports) < 8 { // nearly all slices have few ports
		for i := range s.Ports {
			if s.Ports[i].PortName == name {
				return int32(i)
			}
		}
		return -1
	}
	i, found := slices.BinarySearchFunc(s.Ports, name, func(p Port, name PortName) int { return p.Compare(name) })
	if !found {
		return -1
	}
	return int32(i)
}

// readPorts sets s.Ports.
func (s *Slice) readPorts(at *field.Path, anyPort bool) {
	s.Ports = slices.Grow(s.Ports, len(s.API.Ports))
	for i := range s.API.Ports {
		p := endpoint.PortOf(&s.API.Ports[i])
		name := PortName{Name: p.Name, Protocol: endpoint.Protocol(p.Protocol)}
		port := Port{PortName: name, AppProtocol: p.AppProtocol}
		switch {
		case p.Number >= 1 && p.Number <= 65535:
			port.Number = uint16(p.Number)
		case p.Number != endpoint.AnyPort:
			port.Bad = true
			s.add(BadNumber(at.Child("ports").Index(i).Child("port"), p.Number,
				"must be 1 to 65535").about(port.PortName))
		case !anyPort:
			port.Bad = true
			s.add(noNumber(at.Child("ports").Index(i).Child("port")).about(port.PortName))
		}
		s.Ports = append(s.Ports, port)
	}
	if len(s.Ports) > 1 {
		s.joinPorts(at)
	}
}

// joinPorts sorts the ports, and makes one port of all that have the same name and protocol. Ports
// without a usable number do not count if there is another one. If the numbers differ, the port is
// bad, because nothing says which number is right. The application protocol is the first one in
// alphabetical order.
func (s *Slice) joinPorts(at *field.Path) {
	slices.SortFunc(s.Ports, func(a, b Port) int {
		return cmp.Or(a.Compare(b.PortName), endpoint.TrueFirst(!a.Bad, !b.Bad), cmp.Compare(a.Number, b.Number))
	})
	kept := s.Ports[:0]
	for same := range address.Runs(s.Ports, func(a, b *Port) bool { return a.PortName == b.PortName }) {
		first := same[0]
		for _, p := range same[1:] {
			if p.AppProtocol != "" && (first.AppProtocol == "" || p.AppProtocol < first.AppProtocol) {
				first.AppProtocol = p.AppProtocol
			}
			if !p.Bad && !first.Bad && p.Number != first.Number {
				first.Bad = true
				s.add(BadNumber(at.Child("ports"), first.PortName.String(),
					"has several numbers; give each name and protocol once").about(first.PortName))
			}
		}
		kept = append(kept, first)
	}
	s.Ports = kept
}
