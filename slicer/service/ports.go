package service

import (
	"encoding/binary"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// portSets numbers the different ways in which a Service's ports resolve on its backends. Most Services have one.
type portSets struct {
	service []corev1.ServicePort
	// fixed says that all backends resolve alike, since every targetPort is a number: the set is 0.
	fixed        bool
	declaredOnly bool

	sets  [][]int32        // by set, then by port of the Service: the number, 0 where it does not resolve
	index map[string]int32 // the set of an encoded list of numbers
	last  int32            // the set that was found last; neighbours tend to be alike
	now   []int32          // scratch: what resolve found
	code  []byte           // scratch: its encoding
}

func newPortSets(service []corev1.ServicePort, declaredOnly bool) portSets {
	p := portSets{service: service, declaredOnly: declaredOnly, fixed: !declaredOnly, now: make([]int32, len(service))}
	for i := range service {
		number, name := target(&service[i])
		p.fixed = p.fixed && name == ""
		p.now[i] = number
	}
	if p.fixed {
		p.sets = [][]int32{p.now}
	}
	return p
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

// of returns the set that a backend's declared ports make.
func (p *portSets) of(declared []BackendPort) int32 {
	if p.fixed {
		return 0
	}
	return p.find(declared)
}

func (p *portSets) find(declared []BackendPort) int32 {
	for i := range p.service {
		p.now[i] = p.resolve(&p.service[i], declared)
	}
	if int(p.last) < len(p.sets) && slices.Equal(p.sets[p.last], p.now) {
		return p.last
	}
	p.code = p.code[:0]
	for _, number := range p.now {
		p.code = binary.LittleEndian.AppendUint32(p.code, uint32(number))
	}
	set, known := p.index[string(p.code)]
	if !known {
		if p.index == nil {
			p.index = map[string]int32{}
		}
		set = int32(len(p.sets))
		p.index[string(p.code)] = set
		p.sets = append(p.sets, slices.Clone(p.now))
	}
	p.last = set
	return set
}

// resolve returns the number of one port on one backend, 0 if it does not have it.
func (p *portSets) resolve(port *corev1.ServicePort, declared []BackendPort) int32 {
	number, name := target(port)
	if name == "" && !p.declaredOnly {
		return number
	}
	protocol := protocolOf(port.Protocol)
	for i := range declared {
		b := &declared[i]
		if b.Port < 1 || b.Port > 65535 || protocolOf(b.Protocol) != protocol {
			continue
		}
		if name == "" && b.Port == number || name != "" && b.Name == name {
			return b.Port
		}
	}
	return 0
}

// ports returns the ports that resolve in a set, in the Service's order and in memory of their own; nil if none does.
func (p *portSets) ports(set int32) []discoveryv1.EndpointPort {
	numbers := slices.Clone(p.sets[set])
	texts := make([]string, 2*len(numbers))
	protocols := make([]corev1.Protocol, len(numbers))
	var ports []discoveryv1.EndpointPort
	for i := range p.service {
		if numbers[i] == 0 {
			continue
		}
		service := &p.service[i]
		texts[2*i], protocols[i] = service.Name, protocolOf(service.Protocol)
		port := discoveryv1.EndpointPort{Name: &texts[2*i], Protocol: &protocols[i], Port: &numbers[i]}
		if service.AppProtocol != nil {
			texts[2*i+1] = *service.AppProtocol
			port.AppProtocol = &texts[2*i+1]
		}
		ports = append(ports, port)
	}
	return ports
}

// sorted lists the sets by their numbers.
func (p *portSets) sorted() []int32 {
	order := make([]int32, len(p.sets))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return slices.Compare(p.sets[a], p.sets[b]) })
	return order
}
