package content

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Port is a port of a slice. Number 0 means any.
type Port struct {
	Name     string
	Protocol corev1.Protocol
	Number   uint16
}

// Protocol is the protocol that is meant: an empty one is TCP.
func Protocol(p corev1.Protocol) corev1.Protocol {
	if p == "" {
		return corev1.ProtocolTCP
	}
	return p
}

// ComparePorts orders ports by name and protocol.
func ComparePorts(a, b *Port) int {
	if c := strings.Compare(a.Name, b.Name); c != 0 {
		return c
	}
	return strings.Compare(string(a.Protocol), string(b.Protocol))
}

// readPorts puts the usable ports of a slice in order, each once.
func (r *Reader) readPorts(ports []discoveryv1.EndpointPort) {
	for i := range ports {
		p := endpoint.PortOf(&ports[i])
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
		r.ports = append(r.ports, Port{Name: p.Name, Protocol: Protocol(p.Protocol), Number: uint16(p.Number)})
	}
	slices.SortFunc(r.ports, func(a, b Port) int {
		if c := ComparePorts(&a, &b); c != 0 {
			return c
		}
		return int(a.Number) - int(b.Number)
	})
	r.ports = slices.Compact(r.ports)
	r.dropSamePorts()
}

// dropSamePorts sets ports of one name and protocol aside: which of their numbers is meant is anybody's guess.
func (r *Reader) dropSamePorts() {
	kept := r.ports[:0]
	for i := 0; i < len(r.ports); {
		first, n := r.ports[i], 1
		for i+n < len(r.ports) && ComparePorts(&first, &r.ports[i+n]) == 0 {
			n++
		}
		if n == 1 {
			kept = append(kept, first)
		} else {
			r.problems = append(r.problems, samePort(&first))
		}
		i += n
	}
	r.ports = kept
}
