package conditions

import (
	corev1 "k8s.io/api/core/v1"
)

// FromPod derives the state of a Pod's endpoint: ready is its Ready condition, deleting its deletion timestamp, joined
// as the table of the package comment says. A nil Pod is not ready, and a Pod without a Ready condition is not ready.
func FromPod(pod *corev1.Pod, publishNotReady bool) State {
	return New(PodReady(pod), pod != nil && pod.DeletionTimestamp != nil, publishNotReady)
}

// PodReady reports whether the Pod's Ready condition is True; of several, which the API server refuses, the first counts. It is
// false for nil and without that condition.
func PodReady(pod *corev1.Pod) bool {
	if pod == nil {
		return false
	}
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

// Finished reports whether a Pod has run to its end, phase Failed or Succeeded: its IP may belong to another Pod
// already, so it is no endpoint of any kind. It is false for nil.
func Finished(pod *corev1.Pod) bool {
	return pod != nil && (pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded)
}
