package service

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// Software prefetch. Pods, endpoints and what they point to lie all over the heap, in no order, and a loop that works on one
// after the other waits for memory again and again. The loops here read a word of each thing that the next loop needs,
// so that many cache misses overlap. They compute nothing: the sums only keep the compiler from leaving the loops out.
// Measured on 10 000 shuffled Pods: TODO times faster (BenchmarkPlan).

// prefetchDistance is how many iterations ahead to read: enough to fetch in parallel, and so few that all of it stays in
// the smallest cache until it is used.
const prefetchDistance = 32

// prefetchPods reads most of what a derivation reads of each Pod, except labels and containers.
func prefetchPods(pods []*corev1.Pod) int {
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
		sum += ends(pod.Spec.NodeName)
	}
	for _, pod := range pods {
		if pod == nil {
			continue
		}
		for i := range pod.Status.Conditions {
			if c := &pod.Status.Conditions[i]; len(c.Type) == len(corev1.PodReady) {
				sum += ends(string(c.Type)) + ends(string(c.Status))
			}
		}
		if len(pod.Status.PodIPs) > 0 {
			sum += ends(pod.Status.PodIPs[0].IP)
		}
	}
	return sum
}

// prefetchAddresses reads the first address of each endpoint.
func prefetchAddresses(endpoints []discoveryv1.Endpoint) int {
	sum := 0
	for i := range endpoints {
		if e := &endpoints[i]; len(e.Addresses) > 0 {
			sum += len(e.Addresses[0])
		}
	}
	for i := range endpoints {
		if e := &endpoints[i]; len(e.Addresses) > 0 {
			sum += ends(e.Addresses[0])
		}
	}
	return sum
}

// prefetchEndpoints reads most of what an endpoint says.
func prefetchEndpoints(endpoints []discoveryv1.Endpoint) int {
	sum := prefetchAddresses(endpoints)
	for i := range endpoints {
		sum += prefetchPointers(&endpoints[i])
	}
	for i := range endpoints {
		sum += prefetchTexts(&endpoints[i])
	}
	return sum
}

// prefetchWanted reads what wanted endpoints are compared by.
func (d *derivation) prefetchWanted(matches []match) int {
	sum := 0
	for _, m := range matches {
		if m.wanted != none {
			sum += len(d.wanted[m.wanted].name)
		}
	}
	for _, m := range matches {
		if m.wanted != none {
			sum += ends(d.wanted[m.wanted].name) + ends(string(d.wanted[m.wanted].uid))
		}
	}
	return sum
}

func prefetchPointers(e *discoveryv1.Endpoint) int {
	sum := 0
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
	return sum
}

func prefetchTexts(e *discoveryv1.Endpoint) int {
	sum := 0
	if e.TargetRef != nil {
		sum += ends(e.TargetRef.Name) + ends(string(e.TargetRef.UID))
	}
	if e.NodeName != nil {
		sum += ends(*e.NodeName)
	}
	return sum
}

func ends(s string) int {
	if s == "" {
		return 0
	}
	return int(s[0]) + int(s[len(s)-1])
}
