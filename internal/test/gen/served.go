package gen

import (
	"fmt"
	"math/rand/v2"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Served draws a Service default/web and slices of its namespace and of others, as an API server
// could have them. The slices may have ports, families and labels that the Service does not want.
// An address has the same endpoint in all slices, because kube-proxy decides by chance between
// copies that differ.
func Served(r *rand.Rand) (*corev1.Service, []*discoveryv1.EndpointSlice) {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"}}
	drawAddresses(r, svc)
	drawPolicies(r, svc)
	for _, label := range []string{"service.kubernetes.io/service-proxy-name", corev1.IsHeadlessService} {
		if r.IntN(12) == 0 {
			svc.Labels = map[string]string{label: "x"}
		}
	}
	names := some(r, []string{"http", "dns", "metrics"}, 1+r.IntN(3))
	if len(names) == 1 && r.IntN(3) == 0 {
		names[0] = ""
	}
	for i, name := range names {
		p := corev1.ServicePort{Name: name, Protocol: protocol(r), Port: int32(80 + i)}
		if svc.Spec.Type == corev1.ServiceTypeNodePort || svc.Spec.Type == corev1.ServiceTypeLoadBalancer {
			p.NodePort = int32(30080 + i)
		}
		svc.Spec.Ports = append(svc.Spec.Ports, p)
	}
	pools := map[discoveryv1.AddressType][]discoveryv1.Endpoint{
		"IPv4": servedEndpoints(r, "10.0.0.%d"), "IPv6": servedEndpoints(r, "fd00::%d"),
		"FQDN": servedEndpoints(r, "%d.example.com"),
	}
	var list []*discoveryv1.EndpointSlice
	for n := range r.IntN(5) {
		list = append(list, servedSlice(r, fmt.Sprint("web-", n), svc, pools))
	}
	return svc, list
}

// drawAddresses draws the type, the cluster IPs and the families.
func drawAddresses(r *rand.Rand, svc *corev1.Service) {
	ips := map[corev1.IPFamily]string{"IPv4": "10.96.0.1", "IPv6": "fd00:1::1"}
	s := &svc.Spec
	s.Type = corev1.ServiceTypeClusterIP
	s.IPFamilies = [][]corev1.IPFamily{{"IPv4"}, {"IPv6"}, {"IPv4", "IPv6"}, {"IPv6", "IPv4"}}[r.IntN(4)]
	for _, f := range s.IPFamilies {
		s.ClusterIPs = append(s.ClusterIPs, ips[f])
	}
	s.ClusterIP = s.ClusterIPs[0]
	switch r.IntN(10) {
	case 0: // headless
		s.ClusterIP, s.ClusterIPs = corev1.ClusterIPNone, []string{corev1.ClusterIPNone}
	case 1: // created by a client that sets clusterIP alone
		s.IPFamilies, s.ClusterIPs = nil, s.ClusterIPs[:r.IntN(len(s.ClusterIPs)+1)]
	case 2: // a second family that has no address yet
		s.ClusterIPs = s.ClusterIPs[:1]
	case 3: // what the API server has not completed
		s.ClusterIP, s.ClusterIPs = "", nil
		if r.IntN(2) == 0 {
			s.IPFamilies = nil
		}
	case 4:
		s.Type, s.ExternalName = corev1.ServiceTypeExternalName, "db.example.com"
		if r.IntN(2) == 0 {
			s.ClusterIP = ""
			s.ClusterIPs = nil
			s.IPFamilies = nil
		}
	}
}

// drawPolicies draws what says which endpoints a node may use.
func drawPolicies(r *rand.Rand, svc *corev1.Service) {
	s := &svc.Spec
	if s.Type == corev1.ServiceTypeExternalName {
		return
	}
	if r.IntN(4) == 0 {
		s.InternalTrafficPolicy = ptr(corev1.ServiceInternalTrafficPolicyLocal)
	}
	if s.ClusterIP == "" || s.ClusterIP == corev1.ClusterIPNone || r.IntN(2) == 0 {
		return
	}
	s.Type = []corev1.ServiceType{corev1.ServiceTypeNodePort, corev1.ServiceTypeLoadBalancer}[r.IntN(2)]
	s.ExternalTrafficPolicy = corev1.ServiceExternalTrafficPolicyCluster
	if r.IntN(2) == 0 {
		s.ExternalTrafficPolicy = corev1.ServiceExternalTrafficPolicyLocal
	}
	if s.Type == corev1.ServiceTypeLoadBalancer {
		svc.Status.LoadBalancer.Ingress = []corev1.LoadBalancerIngress{{IP: "192.0.2.1"},
			{IP: "2001:db8::1"}}[:r.IntN(3)]
	}
}

func protocol(r *rand.Rand) corev1.Protocol {
	return []corev1.Protocol{"TCP", "TCP", "TCP", "UDP", "SCTP"}[r.IntN(5)]
}

// servedEndpoints draws the endpoint of each of some addresses.
func servedEndpoints(r *rand.Rand, format string) []discoveryv1.Endpoint {
	all := make([]discoveryv1.Endpoint, 6)
	zoned := r.IntN(3)
	noded := r.IntN(3)
	ready := r.IntN(3)
	for i := range all {
		e := discoveryv1.Endpoint{Addresses: []string{fmt.Sprintf(format, i+1)}}
		if r.IntN(8) == 0 {
			e.Addresses = append(e.Addresses, fmt.Sprintf(format, i+101)) // which kube-proxy does not read
		}
		e.NodeName, e.Zone = ptr(fmt.Sprint("node-", r.IntN(3))), ptr(fmt.Sprint("zone-", r.IntN(3)))
		for _, c := range []**bool{&e.Conditions.Ready, &e.Conditions.Serving, &e.Conditions.Terminating} {
			if r.IntN(3) > 0 {
				*c = ptr(r.IntN(2) == 0)
			}
		}
		if ready == 0 {
			e.Conditions.Ready = ptr(false)
		}
		e.Hints = &discoveryv1.EndpointHints{}
		if r.IntN(zoned+1) == 0 {
			e.Hints.ForZones = []discoveryv1.ForZone{{Name: fmt.Sprint("zone-", r.IntN(3))}}
		}
		if r.IntN(noded+1) == 0 {
			e.Hints.ForNodes = []discoveryv1.ForNode{{Name: fmt.Sprint("node-", r.IntN(3))}}
		}
		all[i] = e
	}
	return all
}

// servedSlice draws a slice that is mostly of the Service, with mostly its ports.
func servedSlice(r *rand.Rand, name string, svc *corev1.Service,
	pools map[discoveryv1.AddressType][]discoveryv1.Endpoint) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: name, ResourceVersion: fmt.Sprint(1 + r.IntN(9)),
			Labels: map[string]string{discoveryv1.LabelServiceName: "web"},
		},
		AddressType: []discoveryv1.AddressType{"IPv4", "IPv4", "IPv4", "IPv6", "IPv6", "FQDN"}[r.IntN(6)],
	}
	switch r.IntN(10) {
	case 0:
		s.Namespace = "other"
	case 1:
		s.Labels = map[string]string{discoveryv1.LabelServiceName: "api"}
	case 2:
		s.Labels = map[string]string{"multicluster.kubernetes.io/service-name": "web"}
	case 3:
		s.Labels[corev1.IsHeadlessService] = ""
	case 4:
		s.Labels["service.kubernetes.io/service-proxy-name"] = "x"
	}
	for i, p := range svc.Spec.Ports {
		port := discoveryv1.EndpointPort{Name: ptr(p.Name), Protocol: ptr(p.Protocol),
			Port: ptr(int32(8080 + i + r.IntN(2)))}
		switch r.IntN(12) {
		case 0:
			continue
		case 1:
			port.Name = ptr("other")
		case 2:
			port.Protocol = ptr(protocol(r))
		case 3:
			port.Port = nil
		}
		twice := func(q discoveryv1.EndpointPort) bool { return *q.Name == *port.Name } // which the API server refuses
		if !slices.ContainsFunc(s.Ports, twice) {
			s.Ports = append(s.Ports, port)
		}
	}
	s.Endpoints = some(r, pools[s.AddressType], r.IntN(4))
	return s
}

// some returns some elements of a list, each once, in any order.
func some[E any](r *rand.Rand, list []E, n int) (few []E) {
	for _, i := range r.Perm(len(list))[:n] {
		few = append(few, list[i])
	}
	return few
}
