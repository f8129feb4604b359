package dedup

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup/internal/address"
	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/table"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
)

// readerKind is the kind of reader that uses a Service.
type readerKind bool

const (
	forProxy   readerKind = false
	forGateway readerKind = true
)

// labelProxyName is the label with the name of the proxy that serves a Service.
const labelProxyName = "service.kubernetes.io/service-proxy-name"

// serviceRules say what one kind of reader uses of a Service.
type serviceRules struct {
	*corev1.Service
	kind     readerKind
	families []discoveryv1.AddressType // none if nothing is used
	hosts    address.Family            // of families
	ports    []content.PortName        // sorted
}

// rulesFor returns what a kind of reader uses of a Service.
func rulesFor(kind readerKind, svc *corev1.Service) (r serviceRules) {
	r = serviceRules{Service: svc, kind: kind, families: familiesOf(kind, svc)}
	r.hosts = address.Families(r.families)
	r.ports = make([]content.PortName, len(svc.Spec.Ports))
	for i := range svc.Spec.Ports {
		r.ports[i] = portNameOf(&svc.Spec.Ports[i])
	}
	slices.SortFunc(r.ports, content.PortName.Compare)
	return r
}

func portNameOf(p *corev1.ServicePort) content.PortName {
	return content.PortName{Name: p.Name, Protocol: endpoint.Protocol(p.Protocol)}
}

// refusal returns why a Service has no endpoints for a reader, whatever slices exist. Both results
// are empty if it may have endpoints.
func (r *serviceRules) refusal() (reason, text string) {
	proxy, claimed := r.Labels[labelProxyName]
	switch {
	case r.Spec.Type == corev1.ServiceTypeExternalName:
		return "IsExternalName", "the Service is an ExternalName: it stands for a DNS name, not for endpoints"
	case r.kind == forGateway && len(r.families) == 0:
		return "OtherFamily", "spec.ipFamilies of the Service has neither IPv4 nor IPv6"
	case r.kind == forGateway:
	case claimed:
		return "OtherProxy", "the Service has the label " + labelProxyName + ", so the proxy " + quote.Text(proxy) +
			" serves it"
	case r.Spec.ClusterIP == corev1.ClusterIPNone:
		return "NoClusterIP", "the Service is headless: clients take endpoints from DNS, and kube-proxy makes no rules"
	case r.Spec.ClusterIP == "":
		return "NoClusterIP", "the Service has no cluster IP yet"
	case len(r.families) == 0:
		return "NoClusterIP", "the Service has no cluster IP of its ipFamilies: compare spec.clusterIPs with " +
			"spec.ipFamilies"
	}
	if len(r.Spec.Ports) == 0 {
		return "NoPorts", "the Service has no ports"
	}
	return "", ""
}

// familiesOf returns the address types in which a Service is served, in the order of
// spec.ipFamilies.
//
// kube-proxy serves a family if clusterIPs has an IP at the index of the family in ipFamilies. If
// ipFamilies is empty, kube-proxy reads only clusterIP, not clusterIPs.
func familiesOf(kind readerKind, svc *corev1.Service) (all []discoveryv1.AddressType) {
	for i, f := range svc.Spec.IPFamilies {
		t := discoveryv1.AddressType(f)
		known := t == discoveryv1.AddressTypeIPv4 || t == discoveryv1.AddressTypeIPv6
		hasIP := kind == forGateway || i < len(svc.Spec.ClusterIPs) && svc.Spec.ClusterIPs[i] != ""
		if known && hasIP && !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	if len(svc.Spec.IPFamilies) > 0 {
		return all
	}
	if _, ok := endpoint.Addr(svc.Spec.ClusterIP); ok {
		return []discoveryv1.AddressType{endpoint.AddressType(svc.Spec.ClusterIP)}
	}
	if kind == forGateway {
		return []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6}
	}
	return nil
}

// uses reports whether the reader uses a claim to one of the Service's ports. kube-proxy skips
// ports without a number and further addresses of an endpoint, whatever the options are.
func (r *serviceRules) uses(c table.Claim) bool {
	return !c.Host.IsName() && r.hosts&c.Host.Family() != 0 &&
		(r.kind == forGateway || c.Number() != 0 && c.Address == 0 && !c.Slice.Headless)
}
