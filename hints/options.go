package hints

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Mode says where hints come from. The values are those of the Service where it has one.
type Mode string

const (
	// None removes all hints.
	None Mode = ""
	// PreferSameZone hints each ready endpoint for its own zone (spec.trafficDistribution). An
	// endpoint without a zone gets no hint, and because of it kube-proxy ignores all hints for
	// zones.
	PreferSameZone Mode = "PreferSameZone"
	// PreferSameNode hints each ready endpoint for its own node and zone
	// (spec.trafficDistribution).
	PreferSameNode Mode = "PreferSameNode"
	// Auto gives each zone enough endpoints for its weight (annotation
	// service.kubernetes.io/topology-mode). In Kubernetes the weight is the allocatable CPU of the
	// zone's Nodes, which NodeWeights returns.
	Auto Mode = "Auto"
	// Given writes the hints that the wanted endpoints have.
	Given Mode = "Given"
	// Keep leaves hints to another writer: they stay as slices have them. When a slice is written
	// for another reason, hints that the API server refuses, or that name no zone, are dropped.
	Keep Mode = "Keep"
)

// ModeOf returns the mode that a Service asks for. As in Kubernetes, the first rule that applies
// decides:
//
//  1. Auto if the annotation service.kubernetes.io/topology-aware-hints is exactly "Auto" or "auto".
//     Only if it is absent, service.kubernetes.io/topology-mode is read in the same way.
//  2. The mode of spec.trafficDistribution, where PreferClose means PreferSameZone.
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
		return Auto
	}
	switch endpoint.Text(service.Spec.TrafficDistribution) {
	case corev1.ServiceTrafficDistributionPreferClose, corev1.ServiceTrafficDistributionPreferSameZone:
		return PreferSameZone
	case corev1.ServiceTrafficDistributionPreferSameNode:
		return PreferSameNode
	default:
		return None
	}
}

// Options says how the hints of the endpoints of one Service are decided.
type Options struct {
	// Mode says where hints come from.
	Mode Mode
	// Limit is for PreferSameZone: how many percent above the mean an endpoint may be expected to
	// carry, at most 1000. Existing hints stay up to 10 points above it. Readers must use the whole
	// list forZones of an endpoint. 0 means no limit, as in Kubernetes.
	Limit int
	// Weights say how much traffic each zone sends, for Auto and Limit. Without weights, Auto sets
	// no hints and Limit does nothing; a plan then has a Warning with the reason NoWeights.
	Weights Weights
	// Steady keeps hints of Auto longer and starts them later than Kubernetes does, so that they do
	// not go on and off because of single Pods. Kubernetes sets hints for an overload of at most
	// 20%, and removes them above it. With Steady, hints are made for 10%, start at 20% and stop
	// above 30%.
	Steady bool
}

// Weights say how much traffic each zone is expected to send, in any unit. They add up to at most
// 2^40.
type Weights struct {
	// Zones has the weight of each zone, at least 1. With Auto, a zone that is missing is assigned
	// no endpoints. With a limit, the endpoints in that zone still get a hint for it.
	Zones map[string]int64
	// Missing names the Nodes that could not be counted, sorted. If there are any, Auto sets no
	// hints, as in Kubernetes.
	Missing []string
}

// Equal reports whether two Weights are the same. If so, a Node event changes no hints.
func (w Weights) Equal(other Weights) bool {
	return maps.Equal(w.Zones, other.Zones) && slices.Equal(w.Missing, other.Missing)
}
