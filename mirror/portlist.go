package mirror

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// noPorts is the only element of the list that stands for no ports.
var noPorts endpoint.Port

// portLists numbers lists of ports. A list is canonical: sorted, each port once.
type portLists struct {
	table endpoint.Table
	lists [][]endpoint.Port
	// parts are, for each list, the lists that together have its ports, and each of which the API server takes as the ports of one
	// slice or subset. Most lists are their own only part.
	parts [][]int32
	texts map[int32]string // those that were asked for
}

// text prints a list of ports for Skip.Port, as in "dns:53/UDP,http:80". All Skips of a list share it.
func (l *portLists) text(list int32) string {
	if text, ok := l.texts[list]; ok {
		return text
	}
	var texts []string
	for _, p := range l.lists[list] {
		if p != noPorts {
			texts = append(texts, p.String())
		}
	}
	if l.texts == nil {
		l.texts = map[int32]string{}
	}
	l.texts[list] = strings.Join(slices.Compact(texts), ",")
	return l.texts[list]
}

// number returns the number of a list of ports, which it sorts in place and takes over.
func (l *portLists) number(ports []endpoint.Port) int32 {
	slices.SortFunc(ports, endpoint.Port.Compare)
	ports = slices.Compact(ports)
	if len(ports) == 0 {
		ports = []endpoint.Port{noPorts}
	}
	id, isNew := l.table.Add(l.table.Ports(ports), func(id int32) bool { return slices.Equal(l.lists[id], ports) })
	if !isNew {
		return id
	}
	l.lists, l.parts = append(l.lists, ports), append(l.parts, []int32{id})
	if parts := splitPorts(ports); len(parts) > 1 {
		l.parts[id] = nil
		for _, part := range parts {
			n := l.number(part)
			l.parts[id] = append(l.parts[id], n)
		}
	}
	return id
}

// splitPorts splits ports into lists that have no name twice, and in which a port without name stands alone, because Endpoints do
// not take it beside others. The n-th port of a name goes to the n-th list.
//
//	dns:53/TCP dns:53/UDP http:80   ->   dns:53/TCP http:80 | dns:53/UDP
func splitPorts(ports []endpoint.Port) [][]endpoint.Port {
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

// order returns the numbers of all lists in the order of their ports; no ports come first.
func (l *portLists) order() []int32 {
	order := make([]int32, len(l.lists))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return slices.CompareFunc(l.lists[a], l.lists[b], endpoint.Port.Compare) })
	return order
}

// refusePort says what is wrong with a port, the range of its number included; nil for nothing. Names of its fields
// are the same in Endpoints and in slices.
func refusePort(p endpoint.Port, at *field.Path) *field.Error {
	var app *string
	if p.AppProtocol != "" {
		app = &p.AppProtocol
	}
	var faults accept.Faults
	if faults.Port(p, app, func(name string) *field.Path { return at.Child(name) }); len(faults) > 0 {
		return faults[0].(*field.Error)
	}
	return nil
}

// portOf reads a port of Endpoints: no protocol is TCP.
func portOf(p *corev1.EndpointPort) endpoint.Port {
	return bare(corev1.ServicePort{Name: p.Name, Protocol: p.Protocol, Port: p.Port, AppProtocol: p.AppProtocol})
}

// slicePorts turns a list into the ports of slices. Each call returns memory of its own; never nil.
func slicePorts(list []endpoint.Port) []discoveryv1.EndpointPort {
	return endpoint.APIPorts(slices.DeleteFunc(slices.Clone(list), func(p endpoint.Port) bool { return p == noPorts }))
}

// subsetPorts turns a list into the ports of a subset; nil for none.
func subsetPorts(list []endpoint.Port) (out []corev1.EndpointPort) {
	for i, p := range servicePorts(list) {
		if list[i] != noPorts {
			out = append(out, corev1.EndpointPort{Name: p.Name, Port: p.Port, Protocol: p.Protocol, AppProtocol: p.AppProtocol})
		}
	}
	return out
}
