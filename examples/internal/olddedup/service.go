package dedup

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Served has the ports of a Service that get traffic, each with its endpoints. It also says what
// gets no traffic.
type Served[E any] struct {
	// Families are the address types that are served: IPv4, IPv6 or both. The first family of the
	// Service comes first.
	Families []discoveryv1.AddressType
	// Ports are the ports of the Service in its order, including ports without endpoints. The list
	// is nil if nothing is served for this Service, for example because it is an ExternalName.
	// Unused then says why.
	Ports []ServedPort[E]
	// Unused lists what gets no traffic, each with the reason: parts of the slices, ports of the
	// Service that no slice has, or the Service as a whole. Most of it is normal, for example an
	// IPv6 slice of a Service without an IPv6 address. So do not log it as a problem. Read it to
	// find out why an endpoint gets no traffic.
	Unused []Unused
	// Problems are mistakes in the slices and in the arguments, each once. The endpoints are right,
	// whatever the Problems are.
	Problems Problems
}

// ServedPort is one port of a Service, with its endpoints.
type ServedPort[E any] struct {
	// Port is the port as it is in the Service.
	Port corev1.ServicePort
	// Endpoints has each address and port number once, in the order of addresses. Endpoints of the
	// first of the Families come first. The list is nil if there are none.
	Endpoints []E
}

// Named returns the port with a name, and whether the Service has this port. A port without a name
// has the name "".
func (s Served[E]) Named(port string) (ServedPort[E], bool) {
	return s.first(func(p *corev1.ServicePort) bool { return p.Name == port })
}

// Number returns the port with a number and a protocol, and whether the Service has this port. The
// number is spec.ports[].port, which clients of the Service use and routes of gateways name. An
// empty protocol is TCP.
func (s Served[E]) Number(port int32, protocol corev1.Protocol) (ServedPort[E], bool) {
	return s.first(func(p *corev1.ServicePort) bool {
		return p.Port == port && endpoint.Protocol(p.Protocol) == endpoint.Protocol(protocol)
	})
}

func (s Served[E]) first(is func(*corev1.ServicePort) bool) (ServedPort[E], bool) {
	i := slices.IndexFunc(s.Ports, func(p ServedPort[E]) bool { return is(&p.Port) })
	if i < 0 {
		return ServedPort[E]{}, false
	}
	return s.Ports[i], true
}

// Unused is a part of the slices or of the Service that gets no traffic, or the Service as a whole,
// and why.
type Unused struct {
	// Slice is the name of the slice. It is empty if the reason concerns all slices. In results of
	// View.OfService it is also empty if the Unused is about a port or an address type.
	Slice string
	// Port is the port. It is zero if the reason concerns all ports.
	Port ServicePort
	// AddressType is the address type. It is empty if the reason concerns all types.
	AddressType discoveryv1.AddressType
	// Reason says why this part gets no traffic. Text says the same in words.
	Reason UnusedReason
	Text   string
}

// UnusedReason is why something gets no traffic.
type UnusedReason string

const (
	// NoClusterIP: the Service is headless or has no cluster IP yet (OfService).
	NoClusterIP UnusedReason = "NoClusterIP"
	// IsExternalName: the Service is of type ExternalName, so it stands for a DNS name.
	IsExternalName UnusedReason = "IsExternalName"
	// OtherProxy: the Service has the label service.kubernetes.io/service-proxy-name, so another
	// proxy serves it (OfService).
	OtherProxy UnusedReason = "OtherProxy"
	// HeadlessSlice: the slice has the label service.kubernetes.io/headless (OfService).
	HeadlessSlice UnusedReason = "HeadlessSlice"
	// OtherFamily: the Service has no address of the slice's type.
	OtherFamily UnusedReason = "OtherFamily"
	// NoServicePort: the slice has a port that the Service does not have. Name and protocol must be
	// equal.
	NoServicePort UnusedReason = "NoServicePort"
	// NoSlicePort: the Service has a port that no slice has, although some slices have endpoints.
	NoSlicePort UnusedReason = "NoSlicePort"
)

// OfService returns the ports of a Service for which kube-proxy makes rules, each with its
// endpoints in the address families in which the Service has a cluster IP. Pass all slices of the
// Service, or all slices of its namespace: slices of other Services are skipped. To choose the
// endpoints that a node sends traffic to, pass the endpoints of a port to routing.Route.
//
// kube-proxy makes no rules for an ExternalName Service, nor for a Service without a cluster IP. It
// matches ports by name and protocol, and reads no FQDN slices. Which objects it skips by label
// depends on its version:
//
//	label                                       on a Service       on a slice
//	service.kubernetes.io/service-proxy-name    all versions       1.33 to 1.35
//	service.kubernetes.io/headless              1.33 to 1.35       all versions
//
// OfService follows 1.36 and later, so it ignores service-proxy-name on a slice and headless on a
// Service. To keep every version from making rules, set service-proxy-name on the Service. To keep
// every version from reading a slice, set headless on the slice.
//
//   - Mistakes in slices are Problems, including a port without a number, as in OnePort.
//   - If several slices have an endpoint, the package comment says which copy wins.
//   - If the Service is nil, or has no name or namespace, there are no ports, and a Problem says
//     so.
//   - The lists are the caller's. Each Found points into the slices.
//
// A reader that has an Index calls [View.OfService].
func OfService(svc *corev1.Service, all []*discoveryv1.EndpointSlice) Served[Found] {
	return searchService(svc, all, forProxy)
}

// ForGateway returns the ports of a Service, each with its endpoints, for readers that send traffic
// directly to endpoints and not to the cluster IP, such as gateways, ingress controllers and
// meshes. It does what [OfService] does, except that it also serves headless Services, Services
// without a cluster IP, and Services and slices that kube-proxy skips by label.
//
// The families are spec.ipFamilies. If ipFamilies is empty, the only family is the family of
// spec.clusterIP. If clusterIP is not an IP address, the families are IPv4 and IPv6.
//
// Routes of gateways name a port by its number: use [Served.Number].
func ForGateway(svc *corev1.Service, all []*discoveryv1.EndpointSlice) Served[Found] {
	return searchService(svc, all, forGateway)
}
