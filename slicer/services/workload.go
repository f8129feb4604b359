package services

import (
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// workload has the values of a Pod or a Backend from which endpoints are made.
type workload struct {
	list  string // the argument of the call: "pods" or "backends"
	index int    // in that list
	name  string // the name of a Backend; empty for a Pod

	target              *corev1.ObjectReference // without resourceVersion; nil if there is none
	addresses           []string
	declared            []BackendPort // nil if no port of the Service depends on them
	numbers             map[string]int32
	node, zone          *string // nil if not known
	hostname, subdomain string
	ready, terminating  bool
	changed             time.Time
}

// requirement is one label of a selector. A selector is kept as a list, because a range over its
// map for each Pod would cost more than all look-ups.
type requirement struct{ name, value string }

// selects reports whether the Service or the Selection selects a Pod.
func (d *derivation) selects(pod *corev1.Pod) bool {
	if pod.Namespace != d.service.Namespace {
		return false
	}
	if d.selection != nil {
		return d.matcher.Matches(labels.Set(pod.Labels))
	}
	for i := range d.selector {
		if value, ok := pod.Labels[d.selector[i].name]; !ok || value != d.selector[i].value {
			return false
		}
	}
	return true
}

// readPod publishes a selected Pod, or adds a Skip with the reason why the Pod is not published.
func (d *derivation) readPod(i int, pod *corev1.Pod) {
	from := &d.from
	reference := d.memory.target(corev1.ObjectReference{
		Kind: "Pod", Namespace: d.service.Namespace, Name: pod.Name, UID: pod.UID,
	})
	*from = workload{
		list: "pods", index: i, target: reference,
		terminating: pod.DeletionTimestamp != nil, hostname: pod.Spec.Hostname, subdomain: pod.Spec.Subdomain,
	}
	if conditions.Finished(pod) {
		d.skip(slicer.Skip{Reason: PodFinished, Err: errFinished, Severity: slicer.Routine})
		return
	}
	var err error
	if from.addresses, err = d.addressesOf(pod); err != nil {
		mistake := errors.As(err, new(*field.Error)) // only a change of the Pod helps
		d.skip(slicer.Skip{Reason: AddressesUnread, Err: fmt.Errorf("options.addresses: %w", err), Retry: !mistake})
		return
	}
	if len(from.addresses) == 0 {
		d.skip(slicer.Skip{Reason: NoAddress, Err: errNoAddress, Severity: slicer.Routine})
		return
	}
	at := d.nodes.named(pod.Spec.NodeName)
	if !at.found && !d.publishNotReady {
		d.skipNode(at)
		return
	}
	from.node, from.zone = nilIfEmpty(&at.name), nilIfEmpty(&at.zone)
	if d.options.ZoneFromPod && d.nodes.ask == nil {
		if zone := pod.Labels[corev1.LabelTopologyZone]; accept.RefuseZone(zone) == nil {
			from.zone = d.memory.text(zone)
		}
	}
	from.ready = conditions.FromPod(pod, false).Serving
	from.changed = readySince(pod)
	if !d.ports.alike() {
		d.declared = declaredBy(empty(d.declared), pod)
		from.declared = d.declared
	}
	d.publish()
}

// skipNode adds a Skip, because the Node of the current Pod is not found.
func (d *derivation) skipNode(at *knownNode) {
	if at.name == "" {
		d.skip(slicer.Skip{Reason: NodeMissing, Err: errNoNode, Severity: slicer.Routine})
		return
	}
	at.awaited = at.awaited || !d.from.terminating
	d.skip(slicer.Skip{Reason: NodeMissing, Err: fmt.Errorf("its Node %q is not found", at.name),
		Retry: !d.from.terminating, Severity: slicer.Routine})
}

// readySince returns the time at which the Pod's first Ready condition last changed;
// conditions.PodReady reads the same condition. The time is zero if there is no such condition.
func readySince(pod *corev1.Pod) time.Time {
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodReady {
			return c.LastTransitionTime.Time
		}
	}
	return time.Time{}
}

func nilIfEmpty(s *string) *string {
	if *s == "" {
		return nil
	}
	return s
}

// addressesOf returns the Pod's addresses. The next call may reuse the memory of the result.
func (d *derivation) addressesOf(pod *corev1.Pod) ([]string, error) {
	if d.options.Addresses != nil {
		return d.options.Addresses(pod)
	}
	d.listed = empty(d.listed)
	for i := range pod.Status.PodIPs {
		d.listed = append(d.listed, pod.Status.PodIPs[i].IP)
	}
	if len(d.listed) == 0 && pod.Status.PodIP != "" {
		d.listed = append(d.listed, pod.Status.PodIP)
	}
	return d.listed, nil
}

// declaredBy appends the ports that the Pod's containers declare, and then the ports of restartable
// init containers, which run beside the containers (sidecars, KEP-753). Other init containers have
// ended before the Pod is ready.
func declaredBy(list []BackendPort, pod *corev1.Pod) []BackendPort {
	declare := func(ports []corev1.ContainerPort) {
		for i := range ports {
			c := &ports[i]
			list = append(list, BackendPort{Name: c.Name, Protocol: c.Protocol, Port: c.ContainerPort})
		}
	}
	for i := range pod.Spec.Containers {
		declare(pod.Spec.Containers[i].Ports)
	}
	for i := range pod.Spec.InitContainers {
		c := &pod.Spec.InitContainers[i]
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			declare(c.Ports)
		}
	}
	return list
}

// readBackend publishes a Backend, or adds a Skip with the reason why the Backend is not published.
func (d *derivation) readBackend(i int, b *Backend) {
	reference := d.memory.target(b.TargetRef)
	if reference.ResourceVersion = ""; *reference == (corev1.ObjectReference{}) {
		reference = nil
	}
	d.from = workload{
		list: "backends", index: i, name: b.Name, target: reference,
		addresses: b.Addresses, declared: b.Ports, numbers: b.PortNumbers,
		node: d.memory.text(b.Node), zone: d.memory.text(b.Zone),
		hostname: b.Hostname, subdomain: b.Subdomain, ready: b.Ready, terminating: b.Terminating, changed: b.Changed,
	}
	if len(d.from.addresses) == 0 {
		d.skip(slicer.Skip{Reason: NoAddress, Err: errNoAddress, Severity: slicer.Routine})
		return
	}
	for _, name := range slices.Sorted(maps.Keys(b.PortNumbers)) {
		if !slices.ContainsFunc(d.service.Spec.Ports, func(p corev1.ServicePort) bool { return p.Name == name }) {
			d.skip(slicer.Skip{Reason: NoServicePort, Port: name, Err: noServicePort(name, d.service.Spec.Ports)})
		}
	}
	d.publish()
}

// familySet is a set of families, by their index in endpoint.Families.
type familySet [len(endpoint.Families)]bool

// familyOf returns the index of an address's family in endpoint.Families, and the canonical
// spelling of the address. If the address is not an IP, the index is -1.
func familyOf(address string) (family int, canonical string) {
	if _, ok := endpoint.IPv4(address); ok {
		return 0, address
	}
	if _, err := netip.ParseAddr(address); err != nil { // some programs read 010.0.0.1 as 8.0.0.1
		return -1, ""
	}
	return slices.Index(endpoint.Families[:], endpoint.AddressType(address)), endpoint.Canonical(address)
}

// wants reports whether the Service has slices of this address type. Its ipFamilies decide. If an
// old API server left them unset, its cluster IPs decide, and a headless Service wants both
// families.
func wants(svc *corev1.Service, addressType discoveryv1.AddressType) bool {
	families := svc.Spec.IPFamilies
	if slices.Contains(families, corev1.IPFamily(addressType)) {
		return true
	}
	if slices.Contains(families, corev1.IPv4Protocol) || slices.Contains(families, corev1.IPv6Protocol) {
		return false
	}
	ofType := func(ip string) bool { return endpoint.AddressType(ip) == addressType }
	return isHeadless(svc) || ofType(svc.Spec.ClusterIP) || slices.ContainsFunc(svc.Spec.ClusterIPs, ofType)
}
