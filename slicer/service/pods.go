package service

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// podReader reads Pods as workloads.
type podReader struct {
	d        *derivation
	selector []requirement

	publishLost bool  // publish Pods without Node
	err         error // why the addresses of the last Pod were not read
}

// requirement is one label of a selector; ranging over the map anew for each Pod would cost more than all lookups.
type requirement struct{ name, value string }

// readPods notes what the Pods want to have published.
func (d *derivation) readPods(pods []*corev1.Pod, node func(name string) *corev1.Node) {
	d.pods = pods
	d.places.start(node, &d.podTarget)
	if d.options.Selected {
		d.wanted = slices.Grow(d.wanted, len(pods))
	}
	r := newPodReader(d)
	var w workload
	for i, pod := range pods {
		d.current = i
		if i%endpoint.PrefetchDistance == 0 {
			d.sink += endpoint.PrefetchPods(pods[i:min(i+endpoint.PrefetchDistance, len(pods))])
		}
		if reason := r.read(pod, &w); reason != 0 {
			d.skip(Skip{Pod: pod, Reason: reason, Err: r.err})
			continue
		}
		d.publish(&w)
	}
}

func newPodReader(d *derivation) *podReader {
	r := &podReader{
		d:           d,
		publishLost: d.options.PublishWithoutZone || d.publishNotReady,
	}
	for name, value := range d.service.Spec.Selector {
		r.selector = append(r.selector, requirement{name, value})
	}
	return r
}

// read fills w from a Pod and returns 0, or why the Pod is not to be published.
func (r *podReader) read(pod *corev1.Pod, w *workload) SkipReason {
	r.err = nil
	if reason := r.refuse(pod); reason != 0 {
		return reason
	}
	ready := conditions.ReadyCondition(pod)
	if conditions.Finished(pod) {
		return PodFinished
	}
	if w.addresses, r.err = r.addresses(pod); r.err != nil {
		return AddressesUnread
	}
	if len(w.addresses) == 0 {
		return NoAddress
	}
	w.place = r.d.places.of(pod.Spec.NodeName)
	if !r.d.places.known[w.place].found && !r.publishLost {
		return NodeMissing
	}
	w.pod, w.name, w.uid = pod, pod.Name, pod.UID
	w.ready, w.terminating = ready != nil && ready.Status == corev1.ConditionTrue, pod.DeletionTimestamp != nil
	w.hostname, w.subdomain = pod.Spec.Hostname, pod.Spec.Subdomain
	if !r.d.ports.fixed {
		w.declared = r.ports(pod)
	}
	return 0
}

// refuse returns why a Pod is none of the Service's, or 0.
func (r *podReader) refuse(pod *corev1.Pod) SkipReason {
	if pod == nil {
		return NilPod
	}
	if r.d.options.Selected {
		return 0
	}
	if pod.Namespace != r.d.service.Namespace {
		return OtherNamespace
	}
	for i := range r.selector {
		if value, ok := pod.Labels[r.selector[i].name]; !ok || value != r.selector[i].value {
			return NotSelected
		}
	}
	return 0
}

// addresses returns the Pod's addresses, in memory that the next call may use again.
func (r *podReader) addresses(pod *corev1.Pod) ([]string, error) {
	if r.d.options.Addresses != nil {
		return r.d.options.Addresses(pod)
	}
	r.d.ips = r.d.ips[:0]
	for i := range pod.Status.PodIPs {
		r.d.ips = append(r.d.ips, pod.Status.PodIPs[i].IP)
	}
	if len(r.d.ips) == 0 && pod.Status.PodIP != "" {
		r.d.ips = append(r.d.ips, pod.Status.PodIP)
	}
	return r.d.ips, nil
}

// ports lists what the Pod's containers declare, and after them its restartable init containers, which run beside them
// (sidecars, KEP-753). Other init containers are gone before the Pod is ready.
func (r *podReader) ports(pod *corev1.Pod) []BackendPort {
	r.d.declared = r.d.declared[:0]
	for i := range pod.Spec.Containers {
		r.declare(pod.Spec.Containers[i].Ports)
	}
	for i := range pod.Spec.InitContainers {
		c := &pod.Spec.InitContainers[i]
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			r.declare(c.Ports)
		}
	}
	return r.d.declared
}

func (r *podReader) declare(ports []corev1.ContainerPort) {
	for i := range ports {
		p := &ports[i]
		r.d.declared = append(r.d.declared, BackendPort{Name: p.Name, Protocol: p.Protocol, Port: p.ContainerPort})
	}
}
