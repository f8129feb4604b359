package service

import corev1 "k8s.io/api/core/v1"

// Software prefetch. Pods lie all over the heap, and a loop that reads one after the other waits for memory again and again.
// prefetch reads a word of each thing that the derivation is about to read of the next few Pods, so that the waits overlap. It
// computes nothing: nobody reads the sum, which keeps the compiler from leaving the loops out, as long as they are not inlined.

// prefetchDistance is how many Pods to read ahead: enough to overlap, and few enough to stay in the cache until they are used.
const prefetchDistance = 32

//go:noinline
func prefetch(pods []*corev1.Pod) (sum int) {
	for _, pod := range pods {
		sum += len(pod.Namespace) + len(pod.Labels) + len(pod.Spec.NodeName) + len(pod.Spec.Hostname) +
			len(pod.Status.Phase) + len(pod.Status.Conditions) + len(pod.Status.PodIPs)
	}
	for _, pod := range pods {
		for i := range pod.Status.Conditions {
			sum += len(pod.Status.Conditions[i].Type) + len(pod.Status.Conditions[i].Status)
		}
		if len(pod.Status.PodIPs) > 0 {
			sum += len(pod.Status.PodIPs[0].IP)
		}
		sum += first(pod.Namespace) + first(pod.Name) + first(string(pod.UID)) + first(pod.Spec.NodeName) + first(string(pod.Status.Phase))
	}
	for _, pod := range pods {
		for i := range pod.Status.Conditions {
			sum += first(string(pod.Status.Conditions[i].Type)) + first(string(pod.Status.Conditions[i].Status))
		}
		if len(pod.Status.PodIPs) > 0 {
			sum += first(pod.Status.PodIPs[0].IP)
		}
	}
	return sum
}

func first(s string) int {
	if s == "" {
		return 0
	}
	return int(s[0])
}
