package dedup

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// Options say which slices and endpoints count. The zero value reads the first address of each endpoint in IPv4 and IPv6 slices
// of Services, as kube-proxy does; other than kube-proxy it reads slices of headless Services, too (see Proxied). An unknown
// address type is a mistake: NewIndex returns it as an error, and Merge as a Problem of a View without endpoints.
type Options struct {
	// Service says which Service of its namespace a slice belongs to, and whether the slice counts: one that does not is as if
	// it did not exist. A slice that counts and has no Service is a problem. Service must not change its argument, must
	// answer by the slice alone, and may be asked several times. nil means ByLabel(discoveryv1.LabelServiceName).
	Service func(*discoveryv1.EndpointSlice) (name string, counts bool)
	// AddressTypes are those whose endpoints are read. nil and empty mean IPv4 and IPv6: the API gives no meaning to
	// names, so FQDN must be asked for. A slice of another type makes its Service known and adds nothing else.
	AddressTypes []discoveryv1.AddressType
	// AllAddresses makes each address of an endpoint an endpoint of its own. Without it the first is read, because the API
	// defines no meaning for the others; a slice that has others is a problem (MoreAddresses).
	AllAddresses bool
	// KeepAnyPort reads the endpoints of a port whose number is nil, which means all ports, with port number 0, for the caller
	// to put in what it means. Without it such a port is set aside, as kube-proxy does, and is a problem (NoNumber).
	KeepAnyPort bool
	// Labels are the keys of slices' labels that endpoints show (Endpoint.Labels), such as
	// multicluster.kubernetes.io/source-cluster. nil and empty: none.
	Labels []string
}

// Proxied is for Options.Service: it takes the slices that kube-proxy takes, which are all without the label
// service.kubernetes.io/headless, and the Service that their label kubernetes.io/service-name names. kube-proxy leaves out some
// Services as well: see ProxiedService.
func Proxied(slice *discoveryv1.EndpointSlice) (name string, counts bool) {
	_, headless := slice.Labels[corev1.IsHeadlessService]
	return slice.Labels[discoveryv1.LabelServiceName], !headless
}

// ProxiedService reports whether kube-proxy makes rules for a Service: it has a cluster IP, is no ExternalName, and has no label
// service.kubernetes.io/service-proxy-name, by which another proxy claims it. false for nil.
func ProxiedService(service *corev1.Service) bool {
	if service == nil || service.Spec.Type == corev1.ServiceTypeExternalName {
		return false
	}
	_, claimed := service.Labels["service.kubernetes.io/service-proxy-name"]
	return !claimed && service.Spec.ClusterIP != "" && service.Spec.ClusterIP != corev1.ClusterIPNone
}

// ByLabel is for Options.Service: every slice counts, and a label's value is its Service. Multi-cluster services use
// multicluster.kubernetes.io/service-name.
func ByLabel(label string) func(*discoveryv1.EndpointSlice) (name string, counts bool) {
	return func(slice *discoveryv1.EndpointSlice) (string, bool) { return slice.Labels[label], true }
}
