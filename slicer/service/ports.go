package service

import (
	"hash/maphash"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// portSets numbers the different ways in which a Service's ports resolve on its backends. Most Services have one.
type portSets struct {
	service []corev1.ServicePort
	// fixed says that all backends without numbers of their own resolve alike, since every targetPort is a number: the set is 0.
	fixed        bool
	declaredOnly bool

	sets  []int32        // for each set a number for each port of the Service, 0 where it does not resolve
	table endpoint.Table // numbers the sets
	now   []int32        // what resolve found
	order []int32        // sets, sorted

	// What ports returns lies in these.
	list   []discoveryv1.EndpointPort
	values []endpoint.PortValues
}

// begin makes ready to number sets. There must be none yet.
func (p *portSets) begin(service []corev1.ServicePort, declaredOnly bool) {
	p.service, p.declaredOnly, p.fixed = service, declaredOnly, !declaredOnly
	p.now = slices.Grow(p.now[:0], len(service))[:len(service)]
	for i := range service {
		number, name := target(&service[i])
		p.fixed = p.fixed && name == ""
		p.now[i] = number
	}
	if p.fixed {
		p.find()
	}
}

// target returns the number or the name that a port leads to. As the API server does, it takes the port's own number
// where targetPort is unset.
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

// of returns the set that a backend's declared ports make, and the numbers that it gives by name.
func (p *portSets) of(declared []BackendPort, given map[string]int32) int32 {
	if p.fixed && len(given) == 0 {
		return 0
	}
	for i := range p.service {
		p.now[i] = p.resolve(&p.service[i], declared, given)
	}
	return p.find()
}

// find returns the set of the numbers in now, new or known.
func (p *portSets) find() int32 {
	hash := uint64(0)
	for _, number := range p.now {
		hash = hash*31 + maphash.Comparable(p.table.Seed(), number)
	}
	set, isNew := p.table.Add(hash, func(set int32) bool { return slices.Equal(p.numbers(set), p.now) })
	if isNew {
		p.sets = append(p.sets, p.now...)
	}
	return set
}

// resolve returns the number of one port on one backend, 0 if it does not have it.
func (p *portSets) resolve(port *corev1.ServicePort, declared []BackendPort, given map[string]int32) int32 {
	if number, ok := given[port.Name]; ok {
		if number < 1 || number > 65535 {
			return 0
		}
		return number
	}
	number, name := target(port)
	if name == "" && !p.declaredOnly {
		return number
	}
	protocol := endpoint.Protocol(port.Protocol)
	for i := range declared {
		b := &declared[i]
		if b.Port < 1 || b.Port > 65535 || endpoint.Protocol(b.Protocol) != protocol {
			continue
		}
		if name == "" && b.Port == number || name != "" && b.Name == name {
			return b.Port
		}
	}
	return 0
}

// ports returns the ports that resolve in a set, in the Service's order; nil if none does.
func (p *portSets) ports(set int32) []discoveryv1.EndpointPort {
	start := len(p.list)
	p.values = slices.Grow(p.values, len(p.service))
	for i, number := range p.numbers(set) {
		if number == 0 {
			continue
		}
		from := &p.service[i]
		port := endpoint.Port{
			Name: from.Name, Protocol: endpoint.Protocol(from.Protocol), Number: int64(number), AppProtocol: endpoint.Text(from.AppProtocol),
		}
		p.values = append(p.values, endpoint.PortValues{})
		p.list = append(p.list, p.values[len(p.values)-1].Port(&port))
	}
	if len(p.list) == start {
		return nil
	}
	return p.list[start:len(p.list):len(p.list)]
}

// sorted lists the sets by their numbers.
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
	p.table.Reset(0)
	*p = portSets{table: p.table, sets: p.sets[:0], now: p.now[:0], order: p.order[:0], list: p.list[:0], values: p.values[:0]}
}
