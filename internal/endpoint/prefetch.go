package endpoint

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// Software prefetch. Pods, endpoints and what they point to lie all over the heap, in no order, and a loop that works on one
// after the other waits for memory again and again. The loops here read a word of each thing that the next loop needs, so
// that many cache misses overlap. They compute nothing: nobody reads the sums, which keep the compiler from leaving the loops
// out, as long as the functions are not inlined. Without them a sync of 10 000 Pods in no order takes 1.3 times as long, and one
// of 100 000 takes 1.5 times (BenchmarkReconcile in internal/test/conformance, with functions that return at once).

// PrefetchDistance is how many iterations ahead to read: enough to fetch in parallel, and so few that all of it stays in
// the smallest cache until it is used.
const PrefetchDistance = 32

// PrefetchAddresses reads the first address of each endpoint.
func PrefetchAddresses(endpoints []discoveryv1.Endpoint) int {
	return PrefetchTexts(endpoints, firstAddress)
}

func firstAddress(e *discoveryv1.Endpoint) string {
	if len(e.Addresses) == 0 {
		return ""
	}
	return e.Addresses[0]
}

// PrefetchTexts reads a text of each element.
//
//go:noinline
func PrefetchTexts[T any](list []T, text func(*T) string) int {
	sum := 0
	for i := range list {
		sum += len(text(&list[i]))
	}
	for i := range list {
		sum += PrefetchText(text(&list[i]))
	}
	return sum
}

// PrefetchIdentities reads the name and UID of Pods that PrefetchPods has read.
//
//go:noinline
func PrefetchIdentities(pods []*corev1.Pod) int {
	sum := 0
	for _, pod := range pods {
		if pod != nil {
			sum += PrefetchText(pod.Name) + PrefetchText(string(pod.UID))
		}
	}
	return sum
}

// Prefetch reads most of what endpoints say, except their addresses. A nil one is skipped.
//
//go:noinline
func Prefetch(endpoints []*discoveryv1.Endpoint) int {
	sum := 0
	for _, e := range endpoints {
		if e != nil && e.TargetRef != nil {
			sum++
		}
	}
	for _, e := range endpoints {
		if e == nil {
			continue
		}
		if e.TargetRef != nil {
			sum += len(e.TargetRef.Kind) + len(e.TargetRef.FieldPath)
		}
		if e.NodeName != nil {
			sum += len(*e.NodeName)
		}
		if e.Zone != nil {
			sum += len(*e.Zone)
		}
		if e.Conditions.Ready != nil && *e.Conditions.Ready {
			sum++
		}
	}
	for _, e := range endpoints {
		if e == nil {
			continue
		}
		if e.TargetRef != nil {
			sum += PrefetchText(e.TargetRef.Name) + PrefetchText(string(e.TargetRef.UID))
		}
		if e.NodeName != nil {
			sum += PrefetchText(*e.NodeName)
		}
	}
	return sum
}

// PrefetchPods reads most of what an endpoint is derived from, except labels and containers.
//
//go:noinline
func PrefetchPods(pods []*corev1.Pod) int {
	sum := 0
	for _, pod := range pods {
		if pod != nil {
			sum += len(pod.Name) + len(pod.UID) + len(pod.Spec.NodeName) + len(pod.Spec.Hostname) +
				len(pod.Status.Phase) + len(pod.Status.Conditions) + len(pod.Status.PodIPs)
			if pod.DeletionTimestamp != nil {
				sum++
			}
		}
	}
	for _, pod := range pods {
		if pod == nil {
			continue
		}
		for i := range pod.Status.Conditions {
			sum += len(pod.Status.Conditions[i].Type) + len(pod.Status.Conditions[i].Status)
		}
		if len(pod.Status.PodIPs) > 0 {
			sum += len(pod.Status.PodIPs[0].IP)
		}
		sum += PrefetchText(pod.Spec.NodeName)
	}
	for _, pod := range pods {
		if pod == nil {
			continue
		}
		for i := range pod.Status.Conditions {
			if c := &pod.Status.Conditions[i]; len(c.Type) == len(corev1.PodReady) {
				sum += PrefetchText(string(c.Type)) + PrefetchText(string(c.Status))
			}
		}
		if len(pod.Status.PodIPs) > 0 {
			sum += PrefetchText(pod.Status.PodIPs[0].IP)
		}
	}
	return sum
}

// PrefetchText reads both ends of a text.
func PrefetchText(s string) int {
	if s == "" {
		return 0
	}
	return int(s[0]) + int(s[len(s)-1])
}
