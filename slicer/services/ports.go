package services

import (
	"cmp"
	"hash/maphash"
	"slices"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// portSets numbers the different ways in which a Service's ports resolve on its backends. For most
// Services there is only one. In this file, a backend is a Pod or a Backend.
type portSets struct {
	service  []corev1.ServicePort
	numbered []int32 // for each port of the Service: its number, or 0 if a backend must declare it
	sought   []sought
	byNumber bool // a backend must declare ports even if targetPort is a number

	sets     []int32        // for each set and each port of the Service: a number, or 0 if the port does not resolve
	table    endpoint.Table // numbers the sets
	resolved []int32        // for each port of the Service: its number on the current backend
	order    []int32        // sets, sorted

	// list and values hold what the method ports returns.
	list   []discoveryv1.EndpointPort
	values []endpoint.PortValues
}

// sought is a port of the Service that a backend must declare, by name and protocol or by number
// and protocol.
type sought struct {
	key  BackendPort // without a number if it has a name
	port int
}

func (s *sought) compare(key *BackendPort) int {
	if s.key.Name != key.Name {
		return strings.Compare(s.key.Name, key.Name)
	}
	return cmp.Or(strings.Compare(string(s.key.Protocol), string(key.Protocol)), int(s.key.Port-key.Port))
}

// begin prepares p for the ports of a Service. p must not have sets yet.
func (p *portSets) begin(service []corev1.ServicePort, declaredOnly bool) {
	p.service, p.byNumber = service, declaredOnly
	for i := range service {
		number, name := target(&service[i])
		if name != "" || declaredOnly {
			key := BackendPort{Name: name, Protocol: endpoint.Protocol(service[i].Protocol), Port: number}
			p.sought, number = append(p.sought, sought{key, i}), 0
		}
		p.numbered = append(p.numbered, number)
	}
	slices.SortFunc(p.sought, func(a, b sought) int { return a.compare(&b.key) })
	if p.alike() {
		p.resolved = append(p.resolved, p.numbered...)
		p.find()
	}
}

// alike reports whether every targetPort is a number that no backend must declare. All backends
// without numbers of their own then have the set 0.
func (p *portSets) alike() bool { return len(p.sought) == 0 }

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

// numbers returns the numbers of a set, one for each port of the Service.
func (p *portSets) numbers(set int32) []int32 {
	n := int32(len(p.service))
	return p.sets[set*n : set*n+n]
}

// setFor returns the set for a backend. ports are the ports that the backend declares. given are
// its PortNumbers, by the name of the Service's port. They override ports.
func (p *portSets) setFor(ports []BackendPort, given map[string]int32) int32 {
	if p.alike() && len(given) == 0 {
		return 0
	}
	p.resolved = append(p.resolved[:0], p.numbered...)
	for i := range ports {
		b := &ports[i]
		if b.Port < 1 || b.Port > 65535 {
			continue
		}
		protocol := endpoint.Protocol(b.Protocol)
		if b.Name != "" {
			p.declare(&BackendPort{Name: b.Name, Protocol: protocol}, b.Port)
		}
		if p.byNumber {
			p.declare(&BackendPort{Protocol: protocol, Port: b.Port}, b.Port)
		}
	}
	if len(given) > 0 {
		for i := range p.service {
			if number, ok := given[p.service[i].Name]; ok {
				p.resolved[i] = number
				if number < 1 || number > 65535 {
					p.resolved[i] = 0
				}
			}
		}
	}
	return p.find()
}

// declare sets the number of all ports of the Service that have this key. A number that an earlier
// port of the backend has set stays.
func (p *portSets) declare(key *BackendPort, number int32) {
	at := sort.Search(len(p.sought), func(i int) bool { return p.sought[i].compare(key) >= 0 })
	for ; at < len(p.sought) && p.sought[at].key == *key && p.resolved[p.sought[at].port] == 0; at++ {
		p.resolved[p.sought[at].port] = number
	}
}

// find returns the set that has the numbers in p.resolved. If there is none, it adds one.
func (p *portSets) find() int32 {
	hash := uint64(0)
	for _, number := range p.resolved {
		hash = hash*31 + maphash.Comparable(p.table.Seed(), number)
	}
	set, isNew := p.table.Add(hash, func(set int32) bool { return slices.Equal(p.numbers(set), p.resolved) })
	if isNew {
		p.sets = append(p.sets, p.resolved...)
	}
	return set
}

// ports returns the ports that resolve in a set, in the Service's order, or nil if no port
// resolves.
func (p *portSets) ports(set int32) []discoveryv1.EndpointPort {
	start := len(p.list)
	p.values = slices.Grow(p.values, len(p.service))
	for i, number := range p.numbers(set) {
		if number == 0 {
			continue
		}
		from := &p.service[i]
		port := endpoint.Port{
			Name: from.Name, Protocol: endpoint.Protocol(from.Protocol), Number: int64(number),
			AppProtocol: endpoint.Text(from.AppProtocol),
		}
		p.values = append(p.values, endpoint.PortValues{})
		p.list = append(p.list, p.values[len(p.values)-1].Port(&port))
	}
	if len(p.list) == start {
		return nil
	}
	return p.list[start:len(p.list):len(p.list)]
}

// sorted lists the sets, sorted by the numbers in them.
func (p *portSets) sorted() []int32 {
	p.order = p.order[:0]
	for set := range int32(p.table.Len()) {
		p.order = append(p.order, set)
	}
	slices.SortFunc(p.order, func(a, b int32) int { return slices.Compare(p.numbers(a), p.numbers(b)) })
	return p.order
}

// release forgets all sets.
func (p *portSets) release() {
	clear(p.list)
	clear(p.values)
	clear(p.sought)
	p.table.Reset(0)
	*p = portSets{table: p.table, numbered: p.numbered[:0], sought: p.sought[:0], sets: p.sets[:0],
		resolved: p.resolved[:0], order: p.order[:0], list: p.list[:0], values: p.values[:0]}
}
