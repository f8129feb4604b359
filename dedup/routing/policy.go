package routing

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Location is where a reader is. Each field may be empty; endpoints are then not preferred by it.
type Location struct {
	// NodeName, Zone and Region are compared with those of endpoints.
	NodeName, Zone, Region string
}

// Place is how near an endpoint is to a reader.
type Place string

const (
	// Anywhere is no place in particular.
	Anywhere Place = ""
	// Node is the reader's node.
	Node Place = "Node"
	// Zone is the reader's zone. An endpoint on the reader's node whose zone is not known counts as
	// in the zone.
	Zone Place = "Zone"
	// Region is the reader's region. An endpoint in the reader's zone whose region is not known
	// counts as in the region.
	Region Place = "Region"
)

// Policy says which endpoints are used. The zero value is what kube-proxy does for traffic policy
// Cluster: ready endpoints by their hints. If none is ready, endpoints that serve while they
// terminate.
type Policy struct {
	// Local is for traffic policy Local: only endpoints on the reader's node are used. If
	// Location.NodeName is empty, none is used. Near, AtLeast and hints have no effect.
	Local bool
	// Near prefers endpoints by place instead of by hints: first endpoints of this place, then of
	// each larger place, then all. To skip a place, leave its field of Location empty.
	Near Place
	// AtLeast is the number of ready endpoints that a place needs to be preferred, by Near or by
	// hints. Endpoints in an earlier tier do not count.
	AtLeast int
	// LastResort uses endpoints that are neither ready nor terminating if there are no others.
	LastResort bool
	// AnyFamily is for readers that reach a Pod by any of its addresses: each Pod, by its
	// TargetRef, is used once, and all address types are decided together. A ready address is used
	// rather than a terminating one, then the nearest one, then the first.
	AnyFamily bool
	// IgnoreHints is for readers that do not obey hints.
	IgnoreHints bool
}

// Internal returns the policy for traffic to the cluster IP (spec.internalTrafficPolicy). It is
// zero for nil.
func Internal(svc *corev1.Service) Policy {
	return Policy{Local: svc != nil && svc.Spec.InternalTrafficPolicy != nil &&
		*svc.Spec.InternalTrafficPolicy == corev1.ServiceInternalTrafficPolicyLocal}
}

// External returns the policy for traffic from outside (spec.externalTrafficPolicy), and whether
// the Service takes such traffic: it has the type NodePort or LoadBalancer, or external IPs. For
// clients on the reader's own node, kube-proxy uses the zero Policy. With policy Local, a node
// announces the Service if Route returns a ready endpoint.
func External(svc *corev1.Service) (Policy, bool) {
	if svc == nil {
		return Policy{}, false
	}
	takes := svc.Spec.Type == corev1.ServiceTypeNodePort || svc.Spec.Type == corev1.ServiceTypeLoadBalancer ||
		len(svc.Spec.ExternalIPs) > 0
	local := svc.Spec.ExternalTrafficPolicy == corev1.ServiceExternalTrafficPolicyLocal
	return Policy{Local: takes && local}, takes
}

// Gateway returns the policy of a gateway or mesh: by place, as spec.trafficDistribution prefers,
// and each Pod once.
func Gateway(svc *corev1.Service) Policy {
	p := Policy{AnyFamily: true}
	if svc == nil {
		return p
	}
	switch endpoint.Text(svc.Spec.TrafficDistribution) {
	case corev1.ServiceTrafficDistributionPreferClose, corev1.ServiceTrafficDistributionPreferSameZone:
		p.Near = Zone
	case corev1.ServiceTrafficDistributionPreferSameNode:
		p.Near = Node
	}
	return p
}

// byPlace reports whether places decide which endpoints are near, and not hints.
func (p *Policy) byPlace() bool { return p.Near == Node || p.Near == Zone || p.Near == Region }

// prefers reports whether endpoints of a place come first.
func (p *Policy) prefers(place Place) bool {
	switch place {
	case Node:
		return p.Near == Node
	case Zone:
		return p.Near == Node || p.Near == Zone
	default:
		return p.byPlace()
	}
}
