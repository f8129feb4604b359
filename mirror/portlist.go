package mirror

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// noPorts is the only element of a list that stands for no ports.
var noPorts endpoint.Port

// portLists gives each list of ports a number.
type portLists struct {
	numbers map[string]int32 // by the PortsKey of the ports
	lists   []portList
	// forEndpoints says that the lists become subsets of Endpoints. A port without a name then
	// needs a subset of its own. In a slice it can be beside other ports.
	forEndpoints bool
}

// portList is a list of ports in canonical form: sorted, each port once.
type portList struct {
	ports []endpoint.Port
	// The ports are divided among the lists whose numbers are in parts. The API server accepts each
	// part as the ports of one slice or subset. Most lists have one part: the list itself.
	parts []int32
	text  string // empty until the method text is called
}

// text returns the text of a list of ports, such as "dns:53/UDP,http:80".
func (l *portLists) text(list int32) string {
	known := &l.lists[list]
	if known.text == "" {
		var texts []string
		for _, p := range known.ports {
			if p != noPorts {
				texts = append(texts, p.String())
			}
		}
		known.text = strings.Join(slices.Compact(texts), ",")
	}
	return known.text
}

// number returns the number of a list of ports. It sorts and keeps the list.
func (l *portLists) number(ports []endpoint.Port) int32 {
	slices.SortFunc(ports, endpoint.Port.Compare)
	ports = slices.Compact(ports)
	if len(ports) == 0 {
		ports = []endpoint.Port{noPorts}
	}
	key := endpoint.PortsKey(ports)
	id, known := l.numbers[key]
	if known {
		return id
	}
	if l.numbers == nil {
		l.numbers = map[string]int32{}
	}
	id = int32(len(l.lists))
	l.numbers[key] = id
	l.lists = append(l.lists, portList{ports: ports})
	numbers := []int32{id}
	if parts := splitPorts(ports, l.forEndpoints); len(parts) > 1 {
		numbers = nil
		for _, part := range parts {
			numbers = append(numbers, l.number(part))
		}
	}
	l.lists[id].parts = numbers
	return id
}

// splitPorts splits ports into lists in which no name occurs twice. The n-th port of a name goes to
// the n-th list. If apart is set, each port without a name gets a list of its own.
//
//	dns:53/TCP dns:53/UDP http:80   ->   dns:53/TCP http:80 | dns:53/UDP
func splitPorts(ports []endpoint.Port, apart bool) [][]endpoint.Port {
	var named, unnamed [][]endpoint.Port
	nth := 0
	for i, p := range ports {
		if apart && p.Name == "" {
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

// order returns the numbers of all lists, sorted by their ports. The list for no ports comes first.
func (l *portLists) order() []int32 {
	order := make([]int32, len(l.lists))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return slices.CompareFunc(l.lists[a].ports, l.lists[b].ports, endpoint.Port.Compare)
	})
	return order
}

// portOf reads a port of Endpoints. An empty protocol means TCP.
func portOf(p *corev1.EndpointPort) endpoint.Port {
	return endpoint.Port{
		Name: p.Name, Protocol: endpoint.Protocol(p.Protocol), Number: int64(p.Port),
		AppProtocol: endpoint.Text(p.AppProtocol),
	}
}

// slicePorts turns a list into the ports of a slice. The result is new memory, and never nil.
func slicePorts(list []endpoint.Port) []discoveryv1.EndpointPort {
	return endpoint.APIPorts(slices.DeleteFunc(slices.Clone(list), func(p endpoint.Port) bool { return p == noPorts }))
}
