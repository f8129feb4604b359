package mirror

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// leaderAnnotation marks Endpoints that a leader election uses as a lock.
const leaderAnnotation = "control-plane.alpha.kubernetes.io/leader"

// Reason is why Endpoints are mirrored or not.
type Reason string

const (
	// Mirrored: the Endpoints belong to a Service without a selector.
	Mirrored Reason = "Mirrored"
	// NoEndpoints: the Endpoints are nil.
	NoEndpoints Reason = "NoEndpoints"
	// SkipMirror: the label endpointslice.kubernetes.io/skip-mirror is "true", because another
	// writer makes the slices.
	SkipMirror Reason = "SkipMirror"
	// LeaderElection: the annotation control-plane.alpha.kubernetes.io/leader marks the Endpoints
	// as the lock of a leader election.
	LeaderElection Reason = "LeaderElection"
	// NoService: there is no Service with the namespace and name of the Endpoints.
	NoService Reason = "NoService"
	// ServiceHasSelector: the Service selects Pods, and another controller publishes them.
	ServiceHasSelector Reason = "ServiceHasSelector"
)

// Eligible reports whether Endpoints are to be mirrored (KEP-0752), and returns Mirrored or the
// first of the other constants that applies. service is the Service with the same namespace and
// name. nil, or a Service with another name, means that there is none. An empty selector counts as
// none, because the API server does not store it. The Service's type does not matter: as in
// Kubernetes, the Endpoints of an ExternalName Service are mirrored.
//
// Eligible does not read the label endpoints.kubernetes.io/managed-by. If the Endpoints controller
// of the cluster is off, Endpoints on which this label is endpoint-controller are leftovers: do not
// mirror them.
func Eligible(endpoints *corev1.Endpoints, service *corev1.Service) (bool, Reason) {
	if endpoints == nil {
		return false, NoEndpoints
	}
	_, isLock := endpoints.Annotations[leaderAnnotation]
	switch {
	case endpoints.Labels[discoveryv1.LabelSkipMirror] == "true":
		return false, SkipMirror
	case isLock:
		return false, LeaderElection
	case service == nil || service.Name != endpoints.Name || service.Namespace != endpoints.Namespace:
		return false, NoService
	case len(service.Spec.Selector) > 0:
		return false, ServiceHasSelector
	default:
		return true, Mirrored
	}
}
