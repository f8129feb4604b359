package slicer

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// The functions here read a word of each thing that a loop is about to read, some iterations ahead, and do nothing else.
// Pods, endpoints and what they point to lie all over the heap, in no order. A loop that works on one after the other
// waits for memory again and again, and a processor looks ahead only some hundred instructions; of a loop as short as
// these it runs many iterations at once and so fetches many words at once. Each loop reads what the one before it has
// fetched the pointers of. The sums mean nothing; without them the compiler would leave the loops out.

// reach is how many iterations ahead to read: enough to fetch in parallel, and so few that all of it stays in the
// smallest cache until it is used.
const reach = 32

// touchPods reads most of what FromService will read of each Pod, but for labels and containers.
func touchPods(pods []*corev1.Pod) int {
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

// touchAddresses reads the first address of each endpoint.
func touchAddresses(endpoints []discoveryv1.Endpoint) int {
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

// touchEndpoints reads most of what an endpoint says.
func touchEndpoints(endpoints []discoveryv1.Endpoint) int {
	sum := touchAddresses(endpoints)
	for i := range endpoints {
		sum += touchPointers(&endpoints[i])
	}
	for i := range endpoints {
		sum += touchTexts(&endpoints[i])
	}
	return sum
}

// touchGuesses reads what the items' endpoints say but for their addresses, which the items have themselves.
func (p *planner) touchGuesses(guesses []guess) int {
	sum := 0
	for _, g := range guesses {
		if g.item == none {
			continue
		}
		if it := &p.items[g.item]; it.endpoint == nil {
			sum += len(p.record(it).name)
		} else if it.endpoint.TargetRef != nil {
			sum++
		}
	}
	for _, g := range guesses {
		if g.item == none {
			continue
		}
		if it := &p.items[g.item]; it.endpoint == nil {
			r := p.record(it)
			sum += ends(r.name) + ends(string(r.uid))
		} else {
			sum += touchPointers(it.endpoint)
		}
	}
	for _, g := range guesses {
		if g.item == none {
			continue
		}
		if it := &p.items[g.item]; it.endpoint != nil {
			sum += touchTexts(it.endpoint)
		}
	}
	return sum
}

func touchPointers(e *discoveryv1.Endpoint) int {
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

func touchTexts(e *discoveryv1.Endpoint) int {
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
