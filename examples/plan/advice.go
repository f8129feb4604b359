package main

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
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

// skipAdvice says what would end a Skip.
func skipAdvice(s slicer.Skip) string {
	switch s.Reason {
	case service.PodFinished:
		return "the Pod has ended, and its address may be another Pod's by now; a new Pod is published instead"
	case service.NoAddress:
		return "the Pod is published when its status has a podIP: see whether it is scheduled, and whether its network is set up"
	case service.NotAnIP:
		return "this text in the Pod's status.podIPs is no address; its other addresses are published"
	case service.NoAddressOfType:
		return "the Service wants this family (ipFamilies), and the Pod's status.podIPs has no address of it; its other addresses are published"
	case service.NodeMissing:
		return "the Pod is published when its Node is in the input (-publish-without-zone publishes it without)"
	case service.PortLeftOut:
		return "no container of the Pod has a port of this name and protocol; it is published without that port"
	case service.PortMissing:
		return "no container of the Pod has a port of this name and protocol; without -skip-unresolved the Pod is published with the others"
	case service.AddressesUnread:
		return "its addresses cannot be read"
	case slicer.NoRoom:
		return "no slice has room, and none is created for a Service that is being deleted"
	}
	return s.Err.Error()
}
