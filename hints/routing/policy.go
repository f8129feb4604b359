package routing

import corev1 "k8s.io/api/core/v1"

// Policy is what a Service says about routing. The zero value is traffic from inside the cluster to all its endpoints,
// by their hints. Fields can be combined freely.
type Policy struct {
	// InternalLocal says that traffic from inside the cluster goes only to endpoints of its own node.
	InternalLocal bool
	// External says that the service port is reached from outside, through a node port, load balancer or external IP.
	External bool
	// ExternalLocal says that traffic from outside goes only to endpoints of the node at which it arrives.
	ExternalLocal bool
	// IgnoreHints says that hints make no difference. kube-proxy always obeys them. Readers that obey them only for
	// Services that ask for hints (ModeOf) set this for other Services.
	IgnoreHints bool
	// PreferZone says that the reader keeps to ready endpoints of its own zone (Candidate.Zone) while there are any, whatever
	// hints say: a gateway or a mesh that brings its own zone awareness. Hints then make no difference.
	PreferZone bool
	// AnyFamily says that the reader reaches a Pod by any of its addresses, as a proxy for HTTP does. One decision and one
	// order are then made over the endpoints of all address types, as if Candidate.AddressType were empty.
	AnyFamily bool
}

// PolicyOf reads a Service's traffic policies (internalTrafficPolicy is KEP-2086). Hints count, whatever the Service asks for: they are there only because
// its writer put them there. nil is the zero Policy.
func PolicyOf(service *corev1.Service) Policy {
	if service == nil {
		return Policy{}
	}
	spec := &service.Spec
	return Policy{
		InternalLocal: spec.InternalTrafficPolicy != nil && *spec.InternalTrafficPolicy == corev1.ServiceInternalTrafficPolicyLocal,
		// A Service of type NodePort or LoadBalancer counts before it has a port or address: it will get one.
		External:      spec.Type == corev1.ServiceTypeNodePort || spec.Type == corev1.ServiceTypeLoadBalancer || len(spec.ExternalIPs) > 0,
		ExternalLocal: spec.ExternalTrafficPolicy == corev1.ServiceExternalTrafficPolicyLocal,
	}
}
