package service

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/slicer"
)

// requirement is one label of a selector; ranging over the map anew for each Pod would cost more than all lookups.
type requirement struct{ name, value string }

// notSelected stands for a Pod of another namespace, or whose labels the selector does not match. It is no Skip, because the Pod is
// none of the Service's.
const notSelected slicer.SkipReason = "-"

// readPod fills in what a Pod says and returns "", or why it is not to be published.
func (r *reader) readPod(from *workload) (slicer.SkipReason, error) {
	pod := r.pods[from.index]
	from.pod = pod
	if !r.selects(pod) {
		return notSelected, nil
	}
	ready := conditions.ReadyCondition(pod)
	if conditions.Finished(pod) {
		return PodFinished, errFinished
	}
	var err error
	if from.addresses, err = r.addressesOf(pod); err != nil {
		return AddressesUnread, fmt.Errorf("options.addresses: %w", err)
	}
	if len(from.addresses) == 0 {
		return NoAddress, errNoAddress
	}
	from.place = r.places.of(pod.Spec.NodeName)
	if !r.places.known[from.place].found && !r.publishLost {
		if pod.Spec.NodeName == "" {
			return NodeMissing, errNoNode
		}
		return NodeMissing, missingNode(pod.Spec.NodeName)
	}
	from.ready, from.terminating = ready != nil && ready.Status == corev1.ConditionTrue, pod.DeletionTimestamp != nil
	from.hostname, from.subdomain = pod.Spec.Hostname, pod.Spec.Subdomain
	if !r.ports.fixed {
		from.declared = r.declaredBy(pod)
	}
	return "", nil
}

// selects reports whether a Pod is one of the Service's.
func (r *reader) selects(pod *corev1.Pod) bool {
	if pod.Namespace != r.service.Namespace {
		return false
	}
	for i := range r.selector {
		if value, ok := pod.Labels[r.selector[i].name]; !ok || value != r.selector[i].value {
			return false
		}
	}
	return true
}

// addressesOf returns the Pod's addresses, in memory that the next call may use again.
func (r *reader) addressesOf(pod *corev1.Pod) ([]string, error) {
	if r.options.Addresses != nil {
		return r.options.Addresses(pod)
	}
	r.listed = r.listed[:0]
	for i := range pod.Status.PodIPs {
		r.listed = append(r.listed, pod.Status.PodIPs[i].IP)
	}
	if len(r.listed) == 0 && pod.Status.PodIP != "" {
		r.listed = append(r.listed, pod.Status.PodIP)
	}
	return r.listed, nil
}

// declaredBy lists what the Pod's containers declare, and after them its restartable init containers, which run beside them
// (sidecars, KEP-753). Other init containers are gone before the Pod is ready.
func (r *reader) declaredBy(pod *corev1.Pod) []BackendPort {
	r.declared = r.declared[:0]
	for i := range pod.Spec.Containers {
		r.declare(pod.Spec.Containers[i].Ports)
	}
	for i := range pod.Spec.InitContainers {
		c := &pod.Spec.InitContainers[i]
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			r.declare(c.Ports)
		}
	}
	return r.declared
}

func (r *reader) declare(ports []corev1.ContainerPort) {
	for i := range ports {
		c := &ports[i]
		r.declared = append(r.declared, BackendPort{Name: c.Name, Protocol: c.Protocol, Port: c.ContainerPort})
	}
}
