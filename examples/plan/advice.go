package main

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// podState is what the Pod says of itself that counts for endpoints.
func podState(pod *corev1.Pod) string {
	text := string(pod.Status.Phase)
	if text == "" {
		text = "no phase"
	}
	if ready := readyCondition(pod); ready == nil {
		text += ", no condition Ready"
	} else {
		text += fmt.Sprintf(", Ready is %s", ready.Status)
		if !ready.LastTransitionTime.IsZero() {
			text += " since " + ready.LastTransitionTime.UTC().Format(time.RFC3339)
		}
	}
	if pod.DeletionTimestamp != nil {
		text += ", terminating"
	}
	return text
}

func readyCondition(pod *corev1.Pod) *corev1.PodCondition {
	for i := range pod.Status.Conditions {
		if pod.Status.Conditions[i].Type == corev1.PodReady {
			return &pod.Status.Conditions[i]
		}
	}
	return nil
}

// readiness says how the Pod's state becomes the endpoint's conditions.
func readiness(svc *corev1.Service, pod *corev1.Pod) string {
	condition := readyCondition(pod)
	ready := condition != nil && condition.Status == corev1.ConditionTrue
	terminating := pod.DeletionTimestamp != nil
	switch {
	case svc.Spec.PublishNotReadyAddresses:
		return "ready, because the Service publishes addresses that are not ready too (publishNotReadyAddresses)"
	case ready && terminating:
		return "not ready, because the Pod terminates; it still serves, and gets traffic where no other endpoint is ready"
	case terminating:
		return "not ready, because the Pod terminates and its condition Ready is not True"
	case ready:
		return "ready, because the Pod's condition Ready is True"
	case condition == nil:
		return "not ready, because the Pod has no condition Ready yet"
	}
	return fmt.Sprintf("not ready, because the Pod's condition Ready is %s: see its readiness probe and readiness gates", condition.Status)
}
