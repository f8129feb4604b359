package hinting

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// ModeOf returns the mode that a Service asks for. As in Kubernetes, the first rule that applies
// decides:
//
//  1. Proportional if the annotation service.kubernetes.io/topology-aware-hints is exactly "Auto"
//     or "auto". Only if it is absent, service.kubernetes.io/topology-mode is read in the same way.
//  2. SameZone if spec.trafficDistribution is PreferClose or PreferSameZone, and SameNode if it is
//     PreferSameNode.
//  3. None otherwise, and for a nil Service.
//
// The traffic policies have no effect: readers ignore hints for traffic whose policy is Local.
func ModeOf(service *corev1.Service) Mode {
	if service == nil {
		return None
	}
	value, ok := service.Annotations[corev1.DeprecatedAnnotationTopologyAwareHints]
	if !ok {
		value = service.Annotations[corev1.AnnotationTopologyMode]
	}
	if value == "Auto" || value == "auto" {
		return Proportional
	}
	switch endpoint.Text(service.Spec.TrafficDistribution) {
	case corev1.ServiceTrafficDistributionPreferClose, corev1.ServiceTrafficDistributionPreferSameZone:
		return SameZone
	case corev1.ServiceTrafficDistributionPreferSameNode:
		return SameNode
	default:
		return None
	}
}
