package slicer

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/key"
)

// Derived are wanted endpoints that FromService has left in a Scratch. Those of one IPv4 address and without hostname,
// which is most of them on most clusters, are not made yet: Compute holds the Pods against the slices, finds nearly all
// of them there, and makes the rest. Until then Service, Pods, their list and Nodes must not change, as those of an
// informer's cache do not. Input.Expanded makes all endpoints, for whoever wants to look at them or to change them.
//
// Only the call of Compute before the next call with the same Scratch accepts it; any later one is an error.
type Derived struct {
	scratch *Scratch
	call    int     // of the scratch
	general []Group // the endpoints that are made
	ports   []Group // of the records, by port set, without endpoints

	service *corev1.Service
	pods    []*corev1.Pod
	node    func(name string) *corev1.Node
	options ServiceOptions
}

// record is a Pod whose endpoint has one IPv4 address and no hostname, and is surely accepted.
type record struct {
	pod   *corev1.Pod
	ip    uint32
	set   int32 // of ports
	place int32 // in Scratch.known
	state conditions.State
}

// Expanded returns the Input with all endpoints in Groups, as FromService makes it without a Scratch: in new memory,
// before those that were in Groups already. An Input without Derived is returned as it is.
func (in Input) Expanded() Input {
	d := in.Derived
	if d == nil {
		return in
	}
	made, _, err := FromService(d.service, d.pods, d.node, d.options)
	if err != nil {
		panic("slicer: a Service was refused that was accepted before: " + err.Error())
	}
	in.Groups, in.Derived = append(made.Groups, in.Groups...), nil
	return in
}

// record notes a workload for later and reports whether it need not be published otherwise.
func (d *derivation) record(w *workload, at *place) bool {
	if len(w.addresses) != 1 || !at.plain || w.subdomain == d.service.Name && w.hostname != "" {
		return false
	}
	ip, ok := key.IPv4(w.addresses[0])
	if !ok || !ordinaryIPv4(ip) {
		return false
	}
	set := d.ports.of(w.declared)
	if !d.ports.whole(set) && !d.publishWithout(set, w.pod) {
		return true
	}
	if len(d.records) == cap(d.records) {
		d.records = append(make([]record, 0, len(d.records)+d.room()), d.records...)
	}
	d.records = append(d.records, record{
		pod: w.pod, ip: ip, set: set, place: at.index,
		state: conditions.New(w.ready, w.terminating, d.service.Spec.PublishNotReadyAddresses),
	})
	d.published++
	return true
}

// derived hands over what the derivation has in its scratch.
func (d *derivation) derived(pods []*corev1.Pod, node func(name string) *corev1.Node) *Derived {
	options := d.options
	options.Scratch = nil
	out := &Derived{
		scratch: d.Scratch, call: d.call, general: d.groups(),
		service: d.service, pods: pods, node: node, options: options,
	}
	if len(d.records) > 0 {
		for set := range d.ports.sets {
			out.ports = append(out.ports, Group{AddressType: discoveryv1.AddressTypeIPv4, Ports: d.ports.ports(int32(set))})
		}
	}
	return out
}
