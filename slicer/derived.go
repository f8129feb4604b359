package slicer

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
)

// Derived are wanted endpoints that FromService has left in a Scratch. Those with an IPv4 address and without hostname are
// not made yet: Compute holds the Pods against the slices, finds nearly all of them there, and makes the rest. Until then Service, Pods, their list and Nodes must not change, as those of an
// informer's cache do not. Input.Expanded makes all endpoints, for whoever wants to look at them or to change them.
//
// Once the same Scratch is used again, Compute and Expanded refuse it with an error.
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

// record is an endpoint that has an IPv4 address and no hostname, and is surely accepted.
type record struct {
	pod   *corev1.Pod
	name  string // the Pod's, at hand
	uid   types.UID
	ip    uint32
	set   int32 // of ports
	place int32 // in Scratch.known
	state conditions.State
}

// Expanded returns the Input with all endpoints in Groups, as FromService makes it without a Scratch: in new memory,
// before those that were in Groups already. An Input without Derived is returned as it is. The error is that of a
// Scratch that has been used again, or of a Service that has changed and is refused now.
func (in Input) Expanded() (Input, error) {
	d := in.Derived
	if d == nil {
		return in, nil
	}
	if err := d.stale(); err != nil {
		return Input{}, err
	}
	made, _, err := FromService(d.service, d.pods, d.node, d.options)
	if err != nil {
		return Input{}, err
	}
	in.Groups, in.Derived = append(made.Groups, in.Groups...), nil
	return in, nil
}

// stale returns an error where the Scratch has been used for another Input since.
func (d *Derived) stale() error {
	path := field.NewPath("derived")
	switch {
	case d == nil || d.scratch != nil && d.call == d.scratch.call:
		return nil
	case d.scratch == nil:
		return field.Invalid(path, "(none)", "is for FromService to make: put endpoints of your own into groups")
	default:
		return field.Invalid(path, "(endpoints)",
			"its Scratch has been used again since: compute each plan before the next call of FromService, or use two")
	}
}

// record notes an IPv4 address of a workload for later.
func (d *derivation) record(w *workload, ip uint32, set int32) {
	if len(d.records) == cap(d.records) {
		d.records = append(make([]record, 0, len(d.records)+d.room()), d.records...)
	}
	d.records = append(d.records, record{
		pod: w.pod, name: w.pod.Name, uid: w.pod.UID, ip: ip, set: set, place: w.place.index,
		state: conditions.New(w.ready, w.terminating, d.service.Spec.PublishNotReadyAddresses),
	})
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
