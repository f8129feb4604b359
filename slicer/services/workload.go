package services

import (
	"errors"
	"fmt"
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

	target              corev1.ObjectReference // without resourceVersion; zero if there is none
	addresses           []string
	declared            []containerPort  // of a Pod, if a targetPort is a name
	given               map[string]int32 // of a Backend
	node, zone          *string          // nil if not known
	hostname, subdomain string
	ready, terminating  bool
	changed             time.Time
}

// readPods reads the Pods that are selected.
func (d *derivation) readPods(pods []*corev1.Pod) {
	for i, pod := range pods {
		if !d.selects(pod) {
			continue
		}
		if d.values == nil { // the rest of the caller's list is probably selected, too
			d.reserve(len(pods) - i)
		}
		d.readPod(i, pod)
		d.left--
	}
	d.awaitNodes()
}

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

// readPod publishes a selected Pod, or adds a Notice with the reason why it is not published.
func (d *derivation) readPod(i int, pod *corev1.Pod) {
	from := &d.from
	*from = workload{
		list: "pods", index: i, terminating: pod.DeletionTimestamp != nil,
		target:   corev1.ObjectReference{Kind: "Pod", Namespace: d.service.Namespace, Name: pod.Name, UID: pod.UID},
		hostname: pod.Spec.Hostname, subdomain: pod.Spec.Subdomain,
	}
	if conditions.Finished(pod) {
		d.normal("PodFinished", errFinished)
		return
	}
	var err error
	if from.addresses, err = d.addressesOf(pod); err != nil {
		d.unreadAddresses(err)
		return
	}
	if len(from.addresses) == 0 {
		d.withoutAddress(pod)
		return
	}
	from.ready = conditions.FromPod(pod, false).Serving
	at := d.nodes.named(pod.Spec.NodeName)
	if !at.found && !d.publishNotReady {
		d.withoutNode(at)
		return
	}
	d.nodeFound = d.nodeFound || at.found && from.ready && !from.terminating
	from.node, from.zone = nilIfEmpty(&at.name), nilIfEmpty(&at.zone)
	if d.options.ZoneFromPod && d.nodes.nodes == nil {
		if zone := pod.Labels[corev1.LabelTopologyZone]; accept.RefuseZone(zone) == nil {
			from.zone = d.text(zone)
		}
	}
	from.changed = readySince(pod)
	if !d.ports.alike() {
		if d.declared == nil {
			d.declared = d.few[:0]
		}
		d.declared = declaredBy(d.declared[:0], pod)
		from.declared = d.declared
	}
	d.publish(d.ports.ofPod(from.declared))
}

func (d *derivation) withoutAddress(pod *corev1.Pod) {
	err := errNoAddress
	if pod.Status.PodIP != "" && d.options.Addresses == nil {
		err = errOnlyPodIP
	}
	d.normal("NoAddress", err)
}

// unreadAddresses handles an error of Options.Addresses. Only a change of the Pod helps against a
// *field.Error, so the Pod is then not Pending.
func (d *derivation) unreadAddresses(err error) {
	d.warn("AddressesUnread", "", fmt.Errorf("options.addresses: %w", err))
	if !errors.As(err, new(*field.Error)) {
		d.pending = append(d.pending, slicer.Pending{Object: d.from.target})
		d.unread.add(&d.from.target, err)
	}
}

// withoutNode handles a Pod whose Node is not found, or that has no Node yet.
func (d *derivation) withoutNode(at *knownNode) {
	switch {
	case at.name == "":
		d.normal("NodeMissing", errNoNode)
	case !d.from.ready || d.from.terminating:
		d.normal("NodeMissing", fmt.Errorf("its Node %q is not found", at.name))
	default:
		err := fmt.Errorf("its Node %q is not found", at.name)
		d.warn("NodeMissing", "", err)
		d.missing.add(&d.from.target, err)
		d.nodeless = append(d.nodeless, slicer.Pending{Object: d.from.target})
	}
}

// awaitNodes makes the ready Pods Pending if none of their Nodes is found.
func (d *derivation) awaitNodes() {
	if !d.nodeFound {
		d.pending = append(d.pending, d.nodeless...)
	}
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
	list := d.listed[:0]
	for i := range pod.Status.PodIPs {
		list = append(list, pod.Status.PodIPs[i].IP)
	}
	return list, nil
}

// declaredBy appends the ports that the Pod's containers declare, and then the ports of restartable
// init containers, which run beside the containers (sidecars, KEP-753). Other init containers have
// ended before the Pod is ready.
func declaredBy(list []containerPort, pod *corev1.Pod) []containerPort {
	for i := range pod.Spec.Containers {
		list = appendPorts(list, pod.Spec.Containers[i].Ports)
	}
	for i := range pod.Spec.InitContainers {
		c := &pod.Spec.InitContainers[i]
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			list = appendPorts(list, c.Ports)
		}
	}
	return list
}

func appendPorts(list []containerPort, ports []corev1.ContainerPort) []containerPort {
	for i := range ports {
		c := &ports[i]
		list = append(list, containerPort{name: c.Name, protocol: c.Protocol, number: c.ContainerPort})
	}
	return list
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
