package routing

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/hints/internal/vote"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// Policy says which endpoints a reader uses for one kind of traffic, such as traffic to the cluster
// IP. The zero value is what kube-proxy does by default: all ready endpoints, by their hints.
// Fields can be combined, and policies are comparable with ==.
type Policy struct {
	// Local says that traffic goes only to endpoints of the reader's node, as traffic policy Local
	// asks. Near, AtLeast and hints then have no effect.
	Local bool
	// Near is the set of places whose endpoints come first: the reader's node, its zone, its
	// region, the smallest place first. An endpoint is in a place by its NodeName, Zone and Region,
	// whatever its hints say. If Near is 0, hints decide.
	Near Nearness
	// AtLeast is the number of ready endpoints that the node, the zone or the region must have to
	// come first, by Near or by hints. A place with fewer endpoints shares the traffic with the
	// next larger place, so that a few endpoints do not get all of it. 0 and 1 mean any number.
	// Endpoints with NoVote do not count. If the node comes first, its endpoints do not count for
	// the zone. If the node or the zone comes first, its endpoints do not count for the region.
	AtLeast int
	// LastResort says that endpoints that are neither ready nor terminating are used if there are
	// no others.
	LastResort bool
	// AnyFamily says that the reader reaches a Pod by any of its addresses, as an HTTP proxy does.
	// One decision is then made over the endpoints of all address types, and only one endpoint of
	// each target (Candidate.TargetRef) is used. Ready endpoints are preferred, then draining ones
	// (they serve while they terminate), then any. Ties go to the nearest endpoint, and then to the
	// first in the input. The other endpoints of the target are not used and have no vote.
	AnyFamily bool
	// IgnoreHints says that hints have no effect. kube-proxy always obeys them. A reader that obeys
	// them only for Services that ask for hints (hints.ModeOf) sets this for all other Services.
	IgnoreHints bool
}

// Nearness is a set of places.
type Nearness uint8

const (
	// Node is the reader's node.
	Node Nearness = 1 << iota
	// Zone is the reader's zone. An endpoint on the reader's node whose zone is not known counts as
	// in the zone.
	Zone
	// Region is the reader's region. An endpoint in the reader's zone whose region is not known
	// counts as in the region.
	Region
)

// Inside returns the policy for traffic from inside the cluster to the cluster IP of a Service:
// Local if internalTrafficPolicy is Local, else the zero Policy. For nil it is the zero Policy.
// Hints are obeyed whatever the Service asks for, because a writer sets hints only if it was asked
// to.
//
// A Pod or process on the reader's own node can also use a node port of this node, a load
// balancer's address or an external IP. For this traffic kube-proxy uses the zero Policy, even if
// both traffic policies are Local, because it does not count as external. A node port of another
// node is different: on that node, the traffic counts as external, so use the policy that [Outside]
// returns.
func Inside(service *corev1.Service) Policy {
	local := service != nil && service.Spec.InternalTrafficPolicy != nil &&
		*service.Spec.InternalTrafficPolicy == corev1.ServiceInternalTrafficPolicyLocal
	return Policy{Local: local}
}

// Outside returns the policy for traffic that arrives at a node from outside the cluster: Local if
// externalTrafficPolicy is Local, else the zero Policy. ok reports whether the Service takes such
// traffic: its type is NodePort or LoadBalancer, even before it has a port or an address, or it has
// external IPs. For nil, ok is false.
//
// While the policy is Local, load balancers send nothing to a node without a ready endpoint. For
// such a node, Route may still return draining endpoints, for connections that arrive before the
// load balancer has noticed. A program that announces addresses therefore announces them from the
// nodes for which Family.Scope is ScopeNode, not from all nodes for which Routes.Endpoints is not
// empty.
func Outside(service *corev1.Service) (p Policy, ok bool) {
	if service == nil {
		return Policy{}, false
	}
	spec := &service.Spec
	ok = spec.Type == corev1.ServiceTypeNodePort || spec.Type == corev1.ServiceTypeLoadBalancer ||
		len(spec.ExternalIPs) > 0
	return Policy{Local: ok && spec.ExternalTrafficPolicy == corev1.ServiceExternalTrafficPolicyLocal}, ok
}

// NearOf returns the places that spec.trafficDistribution of a Service prefers, for readers that
// choose by place instead of by hints: Zone for PreferSameZone and PreferClose, Node|Zone for
// PreferSameNode, else 0. For nil it is 0.
func NearOf(service *corev1.Service) Nearness {
	if service == nil {
		return 0
	}
	switch endpoint.Text(service.Spec.TrafficDistribution) {
	case corev1.ServiceTrafficDistributionPreferClose, corev1.ServiceTrafficDistributionPreferSameZone:
		return Zone
	case corev1.ServiceTrafficDistributionPreferSameNode:
		return Node | Zone
	default:
		return 0
	}
}

// vote returns the policy in the form of package vote.
func (p *Policy) vote() vote.Policy {
	return vote.Policy{
		Local: p.Local, Node: p.Near&Node != 0, Zone: p.Near&Zone != 0, Region: p.Near&Region != 0, AtLeast: p.AtLeast,
		LastResort: p.LastResort, AnyFamily: p.AnyFamily, IgnoreHints: p.IgnoreHints,
	}
}
