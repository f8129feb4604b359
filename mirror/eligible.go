package mirror

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// leaderAnnotation marks Endpoints that a leader election uses as a lock.
const leaderAnnotation = "control-plane.alpha.kubernetes.io/leader"

// Reason says whether Endpoints are mirrored, and if not, why.
type Reason string

const (
	// Mirrored: a Service without selector takes its endpoints from these Endpoints.
	Mirrored Reason = "Mirrored"
	// NoEndpoints: there are none (nil).
	NoEndpoints Reason = "NoEndpoints"
	// SkipMirror: the label endpointslice.kubernetes.io/skip-mirror is "true", because another
	// writer makes the slices.
	SkipMirror Reason = "SkipMirror"
	// LeaderElection: the annotation control-plane.alpha.kubernetes.io/leader says that they are a
	// lock.
	LeaderElection Reason = "LeaderElection"
	// NoService: there is no Service of their namespace and name.
	NoService Reason = "NoService"
	// ServiceHasSelector: the Service's endpoints are its Pods, and another controller publishes
	// them.
	ServiceHasSelector Reason = "ServiceHasSelector"
)

// Eligible reports whether Endpoints are to be mirrored (KEP-0752), and the first reason in the
// order of the constants. service is the one of the same namespace and name; nil, or one of another
// name, means that there is none. A selector without terms counts as none, as the API server does
// not store it. The Service's type does not count: the Endpoints of an ExternalName Service are
// mirrored too, as Kubernetes does. It changes nothing and never panics.
//
// Endpoints with the label endpoints.kubernetes.io/managed-by=endpoint-controller are leftovers if
// the Endpoints controller of the cluster is off.
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
