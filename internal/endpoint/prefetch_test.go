package endpoint

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// TestPrefetchNothing: what is not there is not read.
func TestPrefetchNothing(t *testing.T) {
	PrefetchPods([]*corev1.Pod{nil, {}, {Status: corev1.PodStatus{Conditions: []corev1.PodCondition{{Type: corev1.PodReady}}}}})
	Prefetch([]*discoveryv1.Endpoint{nil, {}, {TargetRef: &corev1.ObjectReference{}, NodeName: new(string)}})
	PrefetchAddresses([]discoveryv1.Endpoint{{}, {Addresses: []string{""}}})
}
