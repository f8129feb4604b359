package service

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// podReader reads Pods as workloads.
type podReader struct {
	w           *wanted
	lists       *listMemory
	selector    []requirement
	publishLost bool // publish Pods without Node
}

// requirement is one label of a selector; ranging over the map anew for each Pod would cost more than all lookups.
type requirement struct{ name, value string }

// fewInOrder is how many Pods need no prefetching if they are listed in order, as they lie in memory then.
const fewInOrder = 1 << 15

// readPods notes what the Pods want to have published. The result lies in m.
func readPods(r *rules, pods []*corev1.Pod, node func(name string) *corev1.Node, m *memory) *wanted {
	expected := 0
	if r.options.Selected {
		expected = len(pods)
	}
	read := newReader(r, workloads{pods: pods}, expected, &m.wanted)
	w := read.w
	w.places.start(node, &r.podTarget)
	p := newPodReader(w, &m.lists)
	var from workload
	for i, pod := range pods {
		if i%endpoint.PrefetchDistance == 0 && (!w.ascending || len(pods) > fewInOrder) {
			m.lists.sink += endpoint.PrefetchPods(pods[i:min(i+endpoint.PrefetchDistance, len(pods))])
		}
		from.index, from.pod = i, pod
		if reason, err := p.read(&from); reason != 0 {
			read.skip(&from, Skip{Reason: reason, Err: err})
			continue
		}
		read.publish(&from)
	}
	return w
}

func newPodReader(w *wanted, lists *listMemory) podReader {
	p := podReader{w: w, lists: lists, publishLost: w.options.PublishWithoutZone || w.publishNotReady}
	for name, value := range w.service.Spec.Selector {
		p.selector = append(p.selector, requirement{name, value})
	}
	return p
}

// read fills in what the Pod of a workload says and returns 0, or why the Pod is not to be published.
func (p *podReader) read(from *workload) (SkipReason, error) {
	pod := from.pod
	if reason := p.refuse(pod); reason != 0 {
		return reason, nil
	}
	ready := conditions.ReadyCondition(pod)
	if conditions.Finished(pod) {
		return PodFinished, nil
	}
	var err error
	if from.addresses, err = p.addresses(pod); err != nil {
		return AddressesUnread, err
	}
	if len(from.addresses) == 0 {
		return NoAddress, nil
	}
	from.place = p.w.places.of(pod.Spec.NodeName)
	if !p.w.places.known[from.place].found && !p.publishLost {
		return NodeMissing, nil
	}
	from.name, from.uid = pod.Name, pod.UID
	from.ready, from.terminating = ready != nil && ready.Status == corev1.ConditionTrue, pod.DeletionTimestamp != nil
	from.hostname, from.subdomain = pod.Spec.Hostname, pod.Spec.Subdomain
	if !p.w.ports.fixed {
		from.declared = p.ports(pod)
	}
	return 0, nil
}

// refuse returns why a Pod is none of the Service's, or 0.
func (p *podReader) refuse(pod *corev1.Pod) SkipReason {
	if pod == nil {
		return NilPod
	}
	if p.w.options.Selected {
		return 0
	}
	if pod.Namespace != p.w.service.Namespace {
		return OtherNamespace
	}
	for i := range p.selector {
		if value, ok := pod.Labels[p.selector[i].name]; !ok || value != p.selector[i].value {
			return NotSelected
		}
	}
	return 0
}

// addresses returns the Pod's addresses, in memory that the next call may use again.
func (p *podReader) addresses(pod *corev1.Pod) ([]string, error) {
	if p.w.options.Addresses != nil {
		return p.w.options.Addresses(pod)
	}
	p.lists.ips = p.lists.ips[:0]
	for i := range pod.Status.PodIPs {
		p.lists.ips = append(p.lists.ips, pod.Status.PodIPs[i].IP)
	}
	if len(p.lists.ips) == 0 && pod.Status.PodIP != "" {
		p.lists.ips = append(p.lists.ips, pod.Status.PodIP)
	}
	return p.lists.ips, nil
}

// ports lists what the Pod's containers declare, and after them its restartable init containers, which run beside them
// (sidecars, KEP-753). Other init containers are gone before the Pod is ready.
func (p *podReader) ports(pod *corev1.Pod) []BackendPort {
	p.lists.declared = p.lists.declared[:0]
	for i := range pod.Spec.Containers {
		p.declare(pod.Spec.Containers[i].Ports)
	}
	for i := range pod.Spec.InitContainers {
		c := &pod.Spec.InitContainers[i]
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			p.declare(c.Ports)
		}
	}
	return p.lists.declared
}

func (p *podReader) declare(ports []corev1.ContainerPort) {
	for i := range ports {
		c := &ports[i]
		p.lists.declared = append(p.lists.declared, BackendPort{Name: c.Name, Protocol: c.Protocol, Port: c.ContainerPort})
	}
}
