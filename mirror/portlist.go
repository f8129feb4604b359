package mirror

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// portLists numbers lists of ports. A list is canonical: sorted, each port once. Some lists cannot be the ports of one
// slice or subset and have parts: see split.
type portLists struct {
	ids   map[string]int32
	lists [][]endpoint.Port
	parts [][]int32 // by list; nil until asked for
	buf   []byte
}

func newPortLists() portLists { return portLists{ids: map[string]int32{}} }

// number takes a canonical list over and returns its number.
func (l *portLists) number(ports []endpoint.Port) int32 {
	l.buf = endpoint.AppendPorts(l.buf[:0], ports)
	id, ok := l.ids[string(l.buf)]
	if !ok {
		id = int32(len(l.lists))
		l.ids[string(l.buf)] = id
		l.lists = append(l.lists, ports)
		l.parts = append(l.parts, nil)
	}
	return id
}

// canonical sorts the ports in place and takes repetitions out.
func canonical(ports []endpoint.Port) []endpoint.Port {
	slices.SortFunc(ports, endpoint.Port.Compare)
	return slices.Compact(ports)
}

// split returns the lists that together say what one list says and that the API server takes as the ports of one slice
// or subset: no name twice, and in Endpoints a port without name stands alone. The n-th port of a name goes to the n-th
// list. Most lists are their own only part.
//
//	dns:53/TCP dns:53/UDP http:80   ->   dns:53/TCP http:80 | dns:53/UDP
func (l *portLists) split(list int32) []int32 {
	if l.parts[list] == nil {
		parts := splitPorts(l.lists[list])
		ids := make([]int32, len(parts))
		for i, part := range parts {
			ids[i] = l.number(part)
		}
		l.parts[list] = ids
	}
	return l.parts[list]
}

func splitPorts(ports []endpoint.Port) [][]endpoint.Port {
	if len(ports) == 0 {
		return [][]endpoint.Port{nil}
	}
	var named, unnamed [][]endpoint.Port
	nth := 0
	for i, p := range ports {
		if p.Name == "" {
			unnamed = append(unnamed, []endpoint.Port{p})
			continue
		}
		if nth++; i == 0 || ports[i-1].Name != p.Name {
			nth = 0
		}
		if nth == len(named) {
			named = append(named, nil)
		}
		named[nth] = append(named[nth], p)
	}
	return append(named, unnamed...)
}

// compare orders lists by their ports; no ports come first.
func (l *portLists) compare(a, b int32) int {
	return slices.CompareFunc(l.lists[a], l.lists[b], endpoint.Port.Compare)
}

// refusePort says what is wrong with a port, the range of its number included; nil for nothing. Names of its fields
// are the same in Endpoints and in slices.
func refusePort(p endpoint.Port, at *field.Path) *field.Error {
	if p.Name != "" {
		if msgs := validation.IsDNS1123Label(p.Name); len(msgs) > 0 {
			return field.Invalid(at.Child("name"), p.Name, msgs[0])
		}
	}
	switch p.Protocol {
	case corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP:
	default:
		return field.NotSupported(at.Child("protocol"), p.Protocol,
			[]corev1.Protocol{corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP})
	}
	if p.Number != endpoint.AnyPort && (p.Number < 1 || p.Number > 65535) {
		return field.Invalid(at.Child("port"), p.Number, "use 1 to 65535")
	}
	if p.AppProtocol != "" {
		if msgs := validation.IsQualifiedName(p.AppProtocol); len(msgs) > 0 {
			return field.Invalid(at.Child("appProtocol"), p.AppProtocol, msgs[0])
		}
	}
	return nil
}

// portOf reads a port of Endpoints: no protocol is TCP.
func portOf(p *corev1.EndpointPort) endpoint.Port {
	return endpoint.PortOf(&discoveryv1.EndpointPort{
		Name: &p.Name, Protocol: protocol(p), Port: &p.Port, AppProtocol: p.AppProtocol,
	})
}

func protocol(p *corev1.EndpointPort) *corev1.Protocol {
	if p.Protocol == "" {
		return nil
	}
	return &p.Protocol
}

// slicePorts turns a list into the ports of slices. Each call returns memory of its own; never nil.
func slicePorts(list []endpoint.Port) []discoveryv1.EndpointPort {
	out := make([]discoveryv1.EndpointPort, len(list))
	for i, p := range list {
		protocol := p.Protocol
		out[i] = discoveryv1.EndpointPort{Name: &p.Name, Protocol: &protocol}
		if p.Number != endpoint.AnyPort {
			number := int32(p.Number)
			out[i].Port = &number
		}
		if p.AppProtocol != "" {
			out[i].AppProtocol = &p.AppProtocol
		}
	}
	return out
}

// subsetPorts turns a list into the ports of a subset; nil for none.
func subsetPorts(list []endpoint.Port) []corev1.EndpointPort {
	var out []corev1.EndpointPort
	for _, p := range list {
		port := corev1.EndpointPort{Name: p.Name, Port: int32(p.Number), Protocol: p.Protocol}
		if p.AppProtocol != "" {
			port.AppProtocol = &p.AppProtocol
		}
		out = append(out, port)
	}
	return out
}
