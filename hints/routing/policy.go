package routing

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/hints/internal/vote"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// Policy says which endpoints a reader uses for one kind of traffic, such as traffic to the cluster IP.
// The zero value is what kube-proxy does by default: all ready endpoints, by their hints. Fields can be
// combined, and policies can be compared with ==.
type Policy struct {
	// Local says that traffic goes only to endpoints of the reader's node, as traffic policy Local asks.
	// Near, AtLeast and hints then make no difference.
	Local bool
	// Near are the places whose endpoints come first, smallest place first: the reader's node, its zone,
	// its region. An endpoint is in a place by its NodeName, Zone and Region, whatever its hints say.
	// If Near is 0, hints decide.
	Near Nearness
	// AtLeast is the number of ready endpoints that the node, the zone or the region must have to come
	// first, by Near or by hints. If there are fewer, they are used together with those of the next larger
	// place, so that few endpoints do not get all traffic. Endpoints with NoVote do not count, nor do
	// those of a smaller place that comes first itself. 0 and 1 mean any.
	AtLeast int
	// LastResort says that endpoints that are not ready are used if there is no other: those that are
	// neither ready nor terminating, after all others.
	LastResort bool
	// AnyFamily says that the reader reaches a Pod by any of its addresses, as a proxy for HTTP does. One
	// decision is then made over the endpoints of all address types, and each target is used once
	// (Candidate.TargetRef): by a ready endpoint, else by a draining one, else by any; by the
	// nearest of several; and by the first of these in the caller's order. The other endpoints of the target
	// are not used and have no vote.
	AnyFamily bool
	// IgnoreHints says that hints make no difference. kube-proxy always obeys them. A reader that
	// obeys them only for Services that ask for hints (hints.ModeOf) sets this for other Services.
	IgnoreHints bool
}

// Nearness is a set of places.
type Nearness uint8

const (
	// Node is the reader's node.
	Node Nearness = 1 << iota
	// Zone is the reader's zone. An endpoint on the reader's node whose zone is not known counts as in
	// the zone.
	Zone
	// Region is the reader's region. An endpoint in the reader's zone whose region is not known counts
	// as in the region.
	Region
)

// Inside returns the policy for traffic from inside the cluster to the cluster IP of a Service: Local if
// internalTrafficPolicy is Local, else the zero Policy. nil gives the zero Policy. Hints are obeyed
// whatever the Service asks for, because they are there only if their writer put them there.
//
// Clients inside the cluster can also use a node port, a load balancer's address or an external IP.
// For this traffic kube-proxy uses the zero Policy, whatever the two traffic policies say: its rules
// short-circuit it, because it does not come from outside. Only rules for traffic that arrives from outside use
// [Outside]. This holds even if both traffic policies are Local.
func Inside(service *corev1.Service) Policy {
	local := service != nil && service.Spec.InternalTrafficPolicy != nil &&
		*service.Spec.InternalTrafficPolicy == corev1.ServiceInternalTrafficPolicyLocal
	return Policy{Local: local}
}

// Outside returns the policy for traffic that arrives at a node from outside the cluster: Local if
// externalTrafficPolicy is Local, else the zero Policy. ok reports whether the Service takes such
// traffic: its type is NodePort or LoadBalancer, even before it has a port or an address, or it has
// external IPs. nil takes none.
//
// A node without a ready endpoint gets no traffic from a load balancer while the policy is Local. Its
// Routes may still have draining endpoints, for the connections that arrive before the load balancer knows. So
// a program that announces addresses announces them where Family.Scope is ScopeNode, not where
// Routes.Endpoints is not empty.
func Outside(service *corev1.Service) (p Policy, ok bool) {
	if service == nil {
		return Policy{}, false
	}
	spec := &service.Spec
	ok = spec.Type == corev1.ServiceTypeNodePort || spec.Type == corev1.ServiceTypeLoadBalancer || len(spec.ExternalIPs) > 0
	return Policy{Local: ok && spec.ExternalTrafficPolicy == corev1.ServiceExternalTrafficPolicyLocal}, ok
}

// NearOf returns the places that spec.trafficDistribution of a Service prefers, for readers that choose
// by place instead of by hints: Zone for PreferSameZone and PreferClose, Node|Zone for PreferSameNode,
// else 0. nil gives 0.
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

// vote returns the policy as package vote has it.
func (p *Policy) vote() vote.Policy {
	return vote.Policy{
		Local: p.Local, Node: p.Near&Node != 0, Zone: p.Near&Zone != 0, Region: p.Near&Region != 0, AtLeast: p.AtLeast,
		LastResort: p.LastResort, AnyFamily: p.AnyFamily, IgnoreHints: p.IgnoreHints,
	}
}
