package dedup

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/table"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// Service has the ports of a Service that get traffic, and what gets none.
type Service struct {
	// Ports are those of the Service, in its order. There are none if nothing is served for this
	// Service, for example because it is an ExternalName.
	Ports []ServicePort
	// Unused lists why the Service has no endpoints, or else each slice and port that gets no
	// traffic, and why. Most of it is normal, so do not log it. Mistakes in slices are only in
	// View.Warnings. Endpoints that are not ready are in Ports: routing.Explain says which are used.
	Unused Notices
}

// ServicePort is a port of a Service with its endpoints.
type ServicePort struct {
	// Port is that of the Service.
	Port corev1.ServicePort
	// Endpoints belong to the caller. Package routing chooses among them. Those of the Service's
	// first family come first.
	Endpoints []Endpoint
}

// Port returns the port with a name, and whether the Service has it.
func (s Service) Port(name string) (ServicePort, bool) {
	return s.first(func(p *corev1.ServicePort) bool { return p.Name == name })
}

// PortNumber returns the port with a number, as routes of gateways name it, and whether the Service
// has it. An empty protocol is TCP.
func (s Service) PortNumber(port int32, protocol corev1.Protocol) (ServicePort, bool) {
	return s.first(func(p *corev1.ServicePort) bool {
		return p.Port == port && endpoint.Protocol(p.Protocol) == endpoint.Protocol(protocol)
	})
}

func (s Service) first(is func(*corev1.ServicePort) bool) (ServicePort, bool) {
	i := slices.IndexFunc(s.Ports, func(p ServicePort) bool { return is(&p.Port) })
	if i < 0 {
		return ServicePort{}, false
	}
	return s.Ports[i], true
}

// ForProxy returns the ports of a Service for which kube-proxy makes rules, with their endpoints.
// It is empty for nil.
//
// It follows kube-proxy 1.36 and later, which skips Services with the label
// service.kubernetes.io/service-proxy-name and slices with the label
// service.kubernetes.io/headless. Versions 1.33 to 1.35 skip Services and slices with any of the
// two.
func (v View) ForProxy(svc *corev1.Service) Service { return v.serve(svc, forProxy) }

// ForGateway returns the ports of a Service for a reader that does not use the cluster IP, such as
// a gateway, also of a headless one. For a ServiceImport, give a Service with its name, ports and
// families to the View of an Index whose ServiceLabel is that of ServiceImports.
//
// The families are spec.ipFamilies. If that is empty, it is the family of spec.clusterIP, or both
// if there is none.
func (v View) ForGateway(svc *corev1.Service) Service { return v.serve(svc, forGateway) }

// serve returns the ports of a Service with their endpoints for a kind of reader.
func (v View) serve(svc *corev1.Service, kind readerKind) (out Service) {
	if svc == nil {
		return out
	}
	r := rulesFor(kind, svc)
	if reason, text := r.refusal(); reason != "" {
		return Service{Unused: Notices{notice(types.NamespacedName{}, reason, text)}}
	}
	d := v.at()
	s := d.service(types.NamespacedName{Namespace: svc.Namespace, Name: svc.Name})
	out.Ports = make([]ServicePort, len(svc.Spec.Ports))
	var sorter table.Sorter
	var last *content.Port
	for i := range svc.Spec.Ports {
		p := &svc.Spec.Ports[i]
		out.Ports[i].Port = *p
		port := uniform(s.Slices, portNameOf(p))
		if port != nil && last != nil {
			out.Ports[i].Endpoints = withPort(out.Ports[i-1].Endpoints, port)
		} else {
			out.Ports[i].Endpoints = r.endpoints(s, portNameOf(p), &sorter)
		}
		last = port
	}
	out.Unused = r.unused(s.Slices, d.options.Label)
	return out
}

// uniform returns a port if all slices have it with one number and application protocol, or nil.
// All such ports have the same endpoints, but for the number.
func uniform(list []*content.Slice, name content.PortName) (port *content.Port) {
	for _, s := range list {
		i := s.PortIndex(name)
		if i < 0 || s.Ports[i].Bad || s.Ports[i].Number == 0 || port != nil && s.Ports[i] != *port {
			return nil
		}
		port = &s.Ports[i]
	}
	return port
}

// withPort returns a copy of endpoints behind another port.
func withPort(list []Endpoint, port *content.Port) []Endpoint {
	list = slices.Clone(list)
	for i := range list {
		list[i].Port = int32(port.Number)
		list[i].AppProtocol = port.AppProtocol
	}
	return list
}

// endpoints returns the endpoints of a port that the reader uses. The winner of an address is
// chosen among the copies that it uses.
func (r *serviceRules) endpoints(s *table.Service, name content.PortName, sorter *table.Sorter) []Endpoint {
	n, all := s.Copies(name, sorter)
	if n == 0 {
		return nil
	}
	list := make([]Endpoint, n)
	n = 0
	var choose table.Chooser
	for copies := range all {
		if len(copies) > 1 {
			copies = slices.DeleteFunc(slices.Clone(copies), func(c table.Claim) bool { return !r.uses(c) })
		}
		if len(copies) > 1 || len(copies) == 1 && r.uses(copies[0]) {
			list[n].fill(choose.Winner(copies))
			n++
		}
	}
	if list = slices.Clip(list[:n]); len(r.families) > 1 {
		firstFamilyFirst(list, r.families[0])
	}
	return list
}

// firstFamilyFirst moves the endpoints of a family to the front, in their order.
func firstFamilyFirst(list []Endpoint, first discoveryv1.AddressType) {
	rank := func(e Endpoint) int {
		if e.Address.Is4() == (first == discoveryv1.AddressTypeIPv4) {
			return 0
		}
		return 1
	}
	order := func(a, b Endpoint) int { return rank(a) - rank(b) }
	if !slices.IsSortedFunc(list, order) {
		slices.SortStableFunc(list, order)
	}
}
