package dedup

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Served is what slices have for a Service: its ports, each with its endpoints.
type Served[E any] struct {
	// Families are the address types that count, the Service's first one first. They are IPv4, IPv6 or both.
	Families []discoveryv1.AddressType
	// Ports are the ports of the Service, in its order, those without endpoints included. nil if the Service has no endpoints
	// by its kind; Unused then says why.
	Ports []ServedPort[E]
	// Unused is what the slices have for the Service that is in no port, with the reason. Most of it is in order, for example
	// an IPv6 slice of a Service that has no IPv6 address, so do not log it as a problem: ask it why an endpoint gets no traffic.
	Unused []Unused
	// Problems are mistakes in the slices and in the arguments, each once. The endpoints are good whatever they say.
	Problems Problems
}

// ServedPort is one port of a Service, with the endpoints behind it.
type ServedPort[E any] struct {
	// Port is the port as the Service has it.
	Port corev1.ServicePort
	// Endpoints has each address and port number once: those of the first of the Families first, in the order of addresses.
	// nil if there are none.
	Endpoints []E
}

// Named returns the port that has a name, and whether the Service has it. The name is empty for a port without a name.
func (s Served[E]) Named(port string) (ServedPort[E], bool) {
	return s.first(func(p *corev1.ServicePort) bool { return p.Name == port })
}

// Number returns the port that has a number and a protocol, and whether the Service has it. The number is the one that clients
// of the Service use (spec.ports[].port), which is also the one in routes of gateways. An empty protocol is TCP.
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

// Unused is something that gets no traffic, and why.
type Unused struct {
	// Slice is the name of the slice that has it. It is empty if the reason concerns all slices, and for ports and address
	// types of a View.
	Slice string
	// Port is the port that it is about; zero if it is about all ports.
	Port ServicePort
	// AddressType is the address type that it is about; empty if it is about all.
	AddressType discoveryv1.AddressType
	// Reason says why it is not used, and Text says it in words.
	Reason UnusedReason
	Text   string
}

// UnusedReason says why something gets no traffic.
type UnusedReason string

const (
	// NoClusterIP: the Service is headless or has no cluster IP yet (OfService).
	NoClusterIP UnusedReason = "NoClusterIP"
	// IsExternalName: the Service stands for a DNS name.
	IsExternalName UnusedReason = "IsExternalName"
	// OtherProxy: the Service has the label service.kubernetes.io/service-proxy-name, so another proxy serves it (OfService).
	OtherProxy UnusedReason = "OtherProxy"
	// HeadlessSlice: the slice has the label service.kubernetes.io/headless (OfService).
	HeadlessSlice UnusedReason = "HeadlessSlice"
	// OtherFamily: the Service has no address of the slice's type.
	OtherFamily UnusedReason = "OtherFamily"
	// NoServicePort: the slice has a port that the Service does not have. Names and protocols must be the same in both.
	NoServicePort UnusedReason = "NoServicePort"
	// NoSlicePort: the Service has a port that no slice has, although slices have endpoints.
	NoSlicePort UnusedReason = "NoSlicePort"
)

// OfService returns what kube-proxy makes rules for: the ports of a Service, each with its endpoints in the address families in
// which the Service has a cluster IP. Give it all slices of the Service, or all of its namespace; slices of other Services are
// skipped. Then ask package hints which of the endpoints a node sends traffic to.
//
// kube-proxy makes no rules for an ExternalName Service, nor for a Service without a cluster IP. It matches ports by name and
// protocol, and reads no FQDN slices. Which objects it skips by label depends on its version:
//
//	label                                       on a Service       on a slice
//	service.kubernetes.io/service-proxy-name    all versions       1.33 to 1.35
//	service.kubernetes.io/headless              1.33 to 1.35       all versions
//
// OfService follows 1.36 and later, so it ignores the labels that only 1.33 to 1.35 respect. To keep every version from making
// rules, set service-proxy-name on the Service. To keep every version from reading a slice, set headless on the slice.
//
// A slice with a port without a number has a Problem, as in OnePort, and so do other mistakes in slices. Slices that disagree
// about an endpoint are joined as the package comment says. With a nil Service, or one without a name or namespace, there are no
// ports, and a Problem says so.
//
// The lists are the caller's. The Found of the result point to the slices. A reader that has an Index calls [View.OfService].
func OfService(svc *corev1.Service, slices []*discoveryv1.EndpointSlice) Served[Found] {
	return serve(svc, slices, forProxy)
}

// ForGateway returns the ports of a Service for readers that send traffic to endpoints past the cluster IP, such as gateways,
// ingress controllers and meshes. It does what [OfService] does, except that it also serves headless Services, Services without a
// cluster IP, and Services and slices that kube-proxy skips by label. The families are those of spec.ipFamilies. If that is empty,
// they are the family of spec.clusterIP, or IPv4 and IPv6.
//
// Routes of gateways name a port by its number: use [Served.Number].
func ForGateway(svc *corev1.Service, slices []*discoveryv1.EndpointSlice) Served[Found] {
	return serve(svc, slices, forGateway)
}
