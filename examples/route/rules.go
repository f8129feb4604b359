package main

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	dedup "github.com/slicewright/slicewright/examples/internal/olddedup"
)

// input is the slices, in two views: all that they have, and what kube-proxy reads of them.
type input struct {
	slices  []*discoveryv1.EndpointSlice
	all     dedup.View
	proxied dedup.View
}

func newInput(slices []*discoveryv1.EndpointSlice) input {
	return input{
		slices: slices,
		all: dedup.Merge(slices, dedup.Options{AddressTypes: []discoveryv1.AddressType{
			discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6, discoveryv1.AddressTypeFQDN,
		}}),
		proxied: dedup.Merge(slices, dedup.Options{Service: dedup.Proxied}),
	}
}

// rules are what kube-proxy makes of a Service.
type rules struct {
	endpoints map[dedup.ServicePort][]dedup.Endpoint // that a rule can send traffic to
	unused    []dedup.Unused                         // what gets no traffic, and why
}

// rulesOf asks the Service. If it is not in the input, it is taken to have cluster IPs of both
// families and all ports of its slices.
func (in input) rulesOf(s subject) rules {
	svc := s.object
	if svc == nil {
		svc = in.standIn(s)
	}
	r := rules{endpoints: map[dedup.ServicePort][]dedup.Endpoint{}, unused: dedup.OfService(svc, in.slices).Unused}
	for _, p := range in.proxied.OfService(svc).Ports {
		r.endpoints[servicePort(s, &p.Port)] = p.Endpoints
	}
	return r
}

func (in input) standIn(s subject) *corev1.Service {
	svc := &corev1.Service{}
	svc.Namespace, svc.Name = s.name.Namespace, s.name.Name
	svc.Spec.ClusterIP, svc.Spec.ClusterIPs = "192.0.2.1", []string{"192.0.2.1", "2001:db8::1"}
	svc.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
	for p := range in.all.Ports(s.name) {
		svc.Spec.Ports = append(svc.Spec.Ports, corev1.ServicePort{Name: p.Port, Protocol: p.Protocol, Port: 1})
	}
	return svc
}

// of returns the endpoints of a port and family for which there is a rule.
func (r rules) of(port dedup.ServicePort, addressType string) (list []dedup.Endpoint) {
	for _, e := range r.endpoints[port] {
		if family(e) == addressType {
			list = append(list, e)
		}
	}
	return list
}

// why says why there is no rule for an endpoint of a port.
func (r rules) why(port dedup.ServicePort, e dedup.Endpoint) string {
	for _, u := range r.unused {
		if (u.Slice == "" || u.Slice == e.Slice) && (u.Port == dedup.ServicePort{} || u.Port == port) &&
			(u.AddressType == "" || string(u.AddressType) == family(e)) {
			return u.Text
		}
	}
	return "kube-proxy has no rule for it"
}
