package services

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// portLists numbers the different lists of ports to which the ports of a Service resolve in its
// workloads. For most Services there is only one.
type portLists struct {
	service  []corev1.ServicePort
	numbered []int32 // for each port of the Service: its number, or 0 if targetPort is a name
	sought   []sought

	lists    []int32          // for each list and each port of the Service: a number, or 0 if it does not resolve
	last     int32            // the list that was found last
	table    map[string]int32 // the lists, by their numbers as text; nil if there is only one
	resolved []int32          // for each port of the Service: its number in the current workload

	memory struct { // of most Services
		numbers [3][8]int32
		sought  [4]sought
	}
}

// sought is a port of the Service that a container must declare by name and protocol.
type sought struct {
	name     string
	protocol corev1.Protocol
	port     int // in the Service
}

func (s *sought) compare(name string, protocol corev1.Protocol) int {
	return cmp.Or(strings.Compare(s.name, name), strings.Compare(string(s.protocol), string(protocol)))
}

// containerPort is a port that a container declares.
type containerPort struct {
	name     string
	protocol corev1.Protocol
	number   int32
}

func (p *portLists) begin(service []corev1.ServicePort) {
	p.service = service
	m := &p.memory
	p.numbered, p.resolved, p.lists, p.sought = m.numbers[0][:0], m.numbers[1][:0], m.numbers[2][:0], m.sought[:0]
	for i := range service {
		number, name := target(&service[i])
		p.numbered = append(p.numbered, number)
		if name != "" {
			p.sought = append(p.sought, sought{name, endpoint.Protocol(service[i].Protocol), i})
		}
	}
	slices.SortFunc(p.sought, func(a, b sought) int { return a.compare(b.name, b.protocol) })
}

// alike reports whether every targetPort is a number, so that all Pods have the first list.
func (p *portLists) alike() bool { return len(p.sought) == 0 }

// target returns the number or the name of a port's target. If targetPort is unset, that is the
// port's own number, as in the API server.
func target(port *corev1.ServicePort) (number int32, name string) {
	switch t := &port.TargetPort; {
	case t.Type == intstr.String && t.StrVal != "":
		return 0, t.StrVal
	case t.Type == intstr.Int && t.IntVal != 0:
		return t.IntVal, ""
	default:
		return port.Port, ""
	}
}

// count returns the number of lists.
func (p *portLists) count() int {
	return max(1, len(p.table))
}

// numbers returns the numbers of a list, one for each port of the Service.
func (p *portLists) numbers(list int32) []int32 {
	if len(p.lists) == 0 { // no workload was resolved, or there are no ports
		return p.numbered
	}
	n := int32(len(p.service))
	return p.lists[list*n : list*n+n]
}

// ofPod returns the list of a Pod. declared are the ports of its containers.
func (p *portLists) ofPod(declared []containerPort) int32 {
	if p.alike() {
		return 0
	}
	p.resolved = append(p.resolved[:0], p.numbered...)
	for i := range declared {
		c := &declared[i]
		if c.number >= 1 && c.number <= 65535 {
			p.declare(c.name, endpoint.Protocol(c.protocol), c.number)
		}
	}
	return p.find()
}

// declare sets the number of all ports of the Service that have this name and protocol as the
// target. A number that an earlier port of the Pod has set stays.
func (p *portLists) declare(name string, protocol corev1.Protocol, number int32) {
	at := sort.Search(len(p.sought), func(i int) bool { return p.sought[i].compare(name, protocol) >= 0 })
	for ; at < len(p.sought) && p.sought[at].compare(name, protocol) == 0; at++ {
		if resolved := &p.resolved[p.sought[at].port]; *resolved == 0 {
			*resolved = number
		}
	}
}

// ofBackend returns the list of a Backend. given are its Ports.
func (p *portLists) ofBackend(given map[string]int32) int32 {
	p.resolved = append(p.resolved[:0], p.numbered...)
	for i := range p.service {
		number, ok := given[p.service[i].Name]
		if _, name := target(&p.service[i]); !ok && name != "" {
			number, ok = given[name]
		}
		if ok {
			p.resolved[i] = number
		}
		if number := p.resolved[i]; number < 1 || number > 65535 {
			p.resolved[i] = 0
		}
	}
	return p.find()
}

// find returns the list that has the numbers in p.resolved. If there is none, it adds one.
func (p *portLists) find() int32 {
	if len(p.lists) == 0 {
		p.lists = append(p.lists, p.resolved...)
	}
	if slices.Equal(p.numbers(p.last), p.resolved) {
		return p.last
	}
	if p.table == nil {
		p.table = map[string]int32{fmt.Sprint(p.numbers(0)): 0}
	}
	key := fmt.Sprint(p.resolved)
	list, known := p.table[key]
	if !known {
		list = int32(len(p.table))
		p.table[key] = list
		p.lists = append(p.lists, p.resolved...)
	}
	p.last = list
	return list
}

// ports returns the ports of a list, in the Service's order, or nil if none resolves.
func (p *portLists) ports(list int32) []discoveryv1.EndpointPort {
	numbers := p.numbers(list)
	ports := make([]discoveryv1.EndpointPort, 0, len(numbers))
	values := make([]endpoint.PortValues, len(numbers))
	for i, number := range numbers {
		if number == 0 {
			continue
		}
		from := &p.service[i]
		port := endpoint.Port{
			Name: from.Name, Protocol: endpoint.Protocol(from.Protocol), Number: int64(number),
			AppProtocol: endpoint.Text(from.AppProtocol),
		}
		ports = append(ports, values[i].Port(&port))
	}
	if len(ports) == 0 {
		return nil
	}
	return slices.Clip(ports)
}

var onlyList = []int32{0}

// sorted lists the lists, sorted by their numbers.
func (p *portLists) sorted() []int32 {
	if p.count() == 1 {
		return onlyList
	}
	order := make([]int32, p.count())
	for list := range order {
		order[list] = int32(list)
	}
	slices.SortFunc(order, func(a, b int32) int { return slices.Compare(p.numbers(a), p.numbers(b)) })
	return order
}
