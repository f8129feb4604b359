package dedup

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/content"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
)

// readerKind is the kind of reader that a Service is served to.
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
	families []discoveryv1.AddressType
	ports    map[content.PortName]int // the index in spec.ports, the first one if a port is there twice
	has      string                   // a text with the ports of the Service; empty until it is needed
}

// mistakesOf returns the mistakes in the Service that a caller passed.
func mistakesOf(svc *corev1.Service) (all []content.Problem) {
	at := field.NewPath("service")
	if svc == nil {
		return append(all, content.BadOption(field.Required(at, "pass the Service, not nil")))
	}
	if svc.Name == "" {
		all = append(all, content.BadOption(field.Required(at.Child("metadata", "name"),
			"pass the Service as the API server returns it")))
	}
	if svc.Namespace == "" {
		all = append(all, content.BadOption(field.Required(at.Child("metadata", "namespace"),
			"pass the Service as the API server returns it")))
	}
	return all
}

// rulesFor returns what a kind of reader uses of a Service, or why it uses nothing.
func rulesFor(kind readerKind, svc *corev1.Service) (s serviceRules, whyNot []Unused) {
	s = serviceRules{Service: svc, kind: kind, families: familiesOf(kind, svc)}
	reason, text := s.refusal()
	if reason != "" {
		return s, []Unused{{Reason: reason, Text: text}}
	}
	s.ports = make(map[content.PortName]int, len(svc.Spec.Ports))
	for i := len(svc.Spec.Ports) - 1; i >= 0; i-- {
		s.ports[portNameOf(&svc.Spec.Ports[i])] = i
	}
	return s, nil
}

// refusal returns why a Service has no endpoints for a reader, whatever slices exist. Both results
// are empty if it may have endpoints.
func (s *serviceRules) refusal() (UnusedReason, string) {
	proxy, claimed := s.Labels[labelProxyName]
	switch {
	case s.Spec.Type == corev1.ServiceTypeExternalName:
		return IsExternalName, "the Service is an ExternalName: it stands for a DNS name, not for endpoints"
	case s.kind == forGateway:
		return "", ""
	case claimed:
		return OtherProxy, "the Service has the label " + labelProxyName + ", so the proxy " + quote.Text(proxy) +
			" serves it"
	case s.Spec.ClusterIP == corev1.ClusterIPNone:
		return NoClusterIP, "the Service is headless: clients take endpoints from DNS, and kube-proxy makes no rules"
	case s.Spec.ClusterIP == "":
		return NoClusterIP, "the Service has no cluster IP yet"
	case len(s.families) == 0:
		return NoClusterIP, "the Service has no cluster IP of its ipFamilies: compare spec.clusterIPs with " +
			"spec.ipFamilies"
	default:
		return "", ""
	}
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

func portNameOf(p *corev1.ServicePort) content.PortName {
	return content.PortName{Name: p.Name, Protocol: endpoint.Protocol(p.Protocol)}
}

func (s *serviceRules) named(p content.PortName) ServicePort {
	return ServicePort{Service: types.NamespacedName{Namespace: s.Namespace, Name: s.Name}, Port: p.Name,
		Protocol: p.Protocol}
}

// noServicePort returns the Unused for a port of a slice that the Service does not have.
func (s *serviceRules) noServicePort(slice string, p content.PortName) Unused {
	if s.has == "" {
		s.has = quote.ServicePorts(s.Spec.Ports)
	}
	return Unused{
		Slice: slice, Port: s.named(p), Reason: NoServicePort,
		Text: "the Service has no port " + portText(p) + "; it has " + s.has,
	}
}

// noSlicePort returns the Unused for a port of the Service that no slice has. have is a text with
// the ports that the slices have.
func (s *serviceRules) noSlicePort(p content.PortName, have string) Unused {
	return Unused{
		Port: s.named(p), Reason: NoSlicePort,
		Text: "no slice has the port " + portText(p) + "; the slices have " + have,
	}
}

// otherFamily returns the Unused for endpoints of an address type that the Service does not have.
func (s *serviceRules) otherFamily(slice string, t discoveryv1.AddressType) Unused {
	u := Unused{Slice: slice, AddressType: t, Reason: OtherFamily}
	switch {
	case t == discoveryv1.AddressTypeFQDN && s.kind == forProxy:
		u.Text = "kube-proxy reads no FQDN slices"
	case t == discoveryv1.AddressTypeFQDN:
		u.Text = "the API gives no meaning to FQDN slices; OnePort reads them if PortOptions.AddressTypes has FQDN"
	case s.kind == forProxy:
		u.Text = "the Service has no " + string(t) + " cluster IP"
	default:
		u.Text = "spec.ipFamilies of the Service has no " + string(t)
	}
	return u
}

// headlessSlice returns the Unused for a slice that kube-proxy does not read.
func headlessSlice(slice string) Unused {
	return Unused{Slice: slice, Reason: HeadlessSlice,
		Text: "the slice has the label " + corev1.IsHeadlessService + ", so kube-proxy does not read it"}
}

func portText(p content.PortName) string { return quote.Port(p.Name, string(p.Protocol)) }

// firstFamilyFirst moves the endpoints of the first family to the front. Otherwise it keeps the
// order.
func firstFamilyFirst[E any](list []E, families []discoveryv1.AddressType, familyOf func(*E) discoveryv1.AddressType) {
	if len(families) < 2 {
		return
	}
	rank := func(e *E) int {
		if familyOf(e) == families[0] {
			return 0
		}
		return 1
	}
	order := func(a, b E) int { return rank(&a) - rank(&b) }
	if !slices.IsSortedFunc(list, order) {
		slices.SortStableFunc(list, order)
	}
}
