package content

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/address"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
)

// PortName identifies a port of a Service. The protocol is not empty.
type PortName struct {
	Name     string
	Protocol corev1.Protocol
	// All stands for all ports instead of one. Name and Protocol are then empty. It is not a name,
	// because clients can ask for any name.
	All bool
}

// allPorts is the port that Options.AllPorts adds to every slice, with number 0. Its endpoints are
// the addresses of the slice.
var allPorts = PortName{All: true}

// Compare puts All first, and orders the other ports by name, then by protocol.
func (p PortName) Compare(q PortName) int {
	if p.All != q.All {
		if p.All {
			return -1
		}
		return 1
	}
	return cmp.Or(strings.Compare(p.Name, q.Name), strings.Compare(string(p.Protocol), string(q.Protocol)))
}

// Port is a port of a slice. Number 0 means any port.
type Port struct {
	PortName
	Number      uint16
	AppProtocol string
}

// readPorts returns the usable ports of a slice, sorted, each once.
func (r *Reader) readPorts(slice *discoveryv1.EndpointSlice) []Port {
	ports := make([]Port, 0, len(slice.Ports))
	var appProtocols map[PortName]string // for each name and protocol, the first one in alphabetical order
	for i := range slice.Ports {
		p := endpoint.PortOf(&slice.Ports[i])
		name := PortName{Name: p.Name, Protocol: endpoint.Protocol(p.Protocol)}
		path := func() *field.Path { return field.NewPath("ports").Index(i).Child("port") }
		if first, has := appProtocols[name]; p.AppProtocol != "" && (!has || p.AppProtocol < first) {
			if appProtocols == nil {
				appProtocols = map[PortName]string{}
			}
			appProtocols[name] = p.AppProtocol
		}
		switch {
		case p.Number >= 1 && p.Number <= 65535:
			ports = append(ports, Port{PortName: name, Number: uint16(p.Number)})
		case p.Number != endpoint.AnyPort:
			r.addProblem(BadNumber(path(), p.Number, "must be 1 to 65535"))
		case r.KeepAnyPort:
			ports = append(ports, Port{PortName: name})
		case r.AllPorts:
			r.addProblem(problem("NoNumber", field.Required(path(),
				"set the port's number, or KeepAnyPort; the endpoints of a port without one are only behind AllPorts")))
		default:
			r.addProblem(NoNumber(path()))
		}
	}
	if r.AllPorts {
		ports = append(ports, Port{PortName: allPorts})
	}
	return r.withOneNumber(ports, appProtocols)
}

// withOneNumber returns each name and protocol of the ports once, sorted, with its application
// protocol. If ports with the same name and protocol have different numbers, all of them are
// skipped, because nothing says which number is right. The result is in the memory of ports.
func (r *Reader) withOneNumber(ports []Port, appProtocols map[PortName]string) []Port {
	slices.SortFunc(ports, func(a, b Port) int {
		return cmp.Or(a.Compare(b.PortName), cmp.Compare(a.Number, b.Number))
	})
	kept := ports[:0]
	for same := range address.Runs(ports, func(a, b *Port) bool { return a.PortName == b.PortName }) {
		p := same[0]
		if p.Number != same[len(same)-1].Number {
			r.addProblem(BadNumber(field.NewPath("ports"), quote.Port(p.Name, string(p.Protocol)),
				"has several numbers; give each name and protocol once"))
			continue
		}
		p.AppProtocol = appProtocols[p.PortName]
		kept = append(kept, p)
	}
	return kept
}
