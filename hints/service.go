package hints

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// ModeOf returns the mode that a Service asks for, with Kubernetes' precedence:
//
//  1. Proportional where the annotation service.kubernetes.io/topology-aware-hints or, only if that is absent,
//     service.kubernetes.io/topology-mode is exactly "Auto" or "auto".
//  2. Else by spec.trafficDistribution: SameZone for PreferClose and PreferSameZone, SameNode for PreferSameNode.
//  3. Else None; so too for nil.
//
// The traffic policies are not looked at: readers ignore hints where a policy is Local.
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
