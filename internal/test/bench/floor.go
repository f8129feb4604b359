package bench

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// Floor is what every planner of slices has to do at least: it compares each field of each endpoint
// with the Pod that has the address. It reads Services of the family IPv4 with one port, and no
// labels, no other metadata and no address that is spelt in an unusual way. It says how near the
// library is to the least possible time.
type Floor struct {
	pods map[string]*corev1.Pod // by address; kept from sync to sync, so that nothing is allocated
}

// Sync returns nil if the slices hold what the Pods say, and otherwise a copy of the first slice in
// which something has to change, as an update would begin with.
func (f *Floor) Sync(s *Sync) *discoveryv1.EndpointSlice {
	if f.pods == nil {
		f.pods = map[string]*corev1.Pod{}
	}
	clear(f.pods)
	for _, pod := range s.Pods {
		f.pods[pod.Status.PodIPs[0].IP] = pod
	}
	var changed *discoveryv1.EndpointSlice
	found := 0
	for _, slice := range s.Slices {
		same := samePorts(s.Service.Spec.Ports, slice.Ports)
		for i := range slice.Endpoints {
			e := &slice.Endpoints[i]
			pod := f.pods[e.Addresses[0]]
			if pod == nil {
				same = false
				continue
			}
			found++
			same = same && sameEndpoint(pod, s.Nodes[pod.Spec.NodeName], e)
		}
		if !same && changed == nil {
			changed = slice
		}
	}
	if changed == nil && found < len(s.Pods) {
		changed = s.Slices[0] // the Pods that are missing go there
	}
	return changed.DeepCopy() // nil of nil
}

func samePorts(wanted []corev1.ServicePort, has []discoveryv1.EndpointPort) bool {
	return len(has) == 1 && *has[0].Name == wanted[0].Name && *has[0].Protocol == wanted[0].Protocol &&
		*has[0].Port == wanted[0].TargetPort.IntVal && has[0].AppProtocol == wanted[0].AppProtocol
}

func sameEndpoint(pod *corev1.Pod, node *corev1.Node, e *discoveryv1.Endpoint) bool {
	ready, terminating := false, pod.DeletionTimestamp != nil
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodReady {
			ready = c.Status == corev1.ConditionTrue
		}
	}
	c, ref := &e.Conditions, e.TargetRef
	return pod.Status.Phase == corev1.PodRunning && len(e.Addresses) == 1 &&
		*c.Ready == (ready && !terminating) && *c.Serving == ready && *c.Terminating == terminating &&
		*e.NodeName == pod.Spec.NodeName && *e.Zone == node.Labels[corev1.LabelTopologyZone] &&
		ref.Kind == "Pod" && ref.Namespace == pod.Namespace && ref.Name == pod.Name && ref.UID == pod.UID &&
		e.Hostname == nil && e.Hints == nil
}
