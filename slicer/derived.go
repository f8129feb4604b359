package slicer

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
)

// Derived are wanted endpoints that FromService or FromBackends has left in a Scratch. Those of Pods with an ordinary IPv4
// address and without hostname are not made yet: Compute holds what is known of the Pods against the slices, finds
// nearly all of the endpoints there, and makes the rest. Input.Expanded makes all of them, for whoever wants to look at
// them or to change them.
//
// It needs nothing but the Scratch: Service, Pods and Nodes may change meanwhile. Once the Scratch is used again, Compute
// and Expanded refuse it with an error. A zero Derived is refused too.
type Derived struct {
	scratch   *Scratch
	call      int // of the scratch
	namespace string
	general   []Group // the endpoints that are made
	ports     []Group // of the records, by port set, without endpoints
	sets      portSets
}

// record is an endpoint that has an IPv4 address and no hostname, and is surely accepted. It fills a line of a cache.
type record struct {
	name    string // the Pod's
	uid     types.UID
	address string
	ip      uint32
	set     int32 // of ports
	place   int32 // in Scratch.known
	state   conditions.State
}

// record notes an IPv4 address of a workload for later.
func (d *derivation) record(w *workload, ip uint32, address string, set int32) {
	if len(d.records) == cap(d.records) {
		d.records = append(make([]record, 0, len(d.records)+d.room()), d.records...)
	}
	d.records = append(d.records, record{
		name: w.pod.Name, uid: w.pod.UID, address: address, ip: ip, set: set, place: w.place.index,
		state: conditions.New(w.ready, w.terminating, d.service.Spec.PublishNotReadyAddresses),
	})
}

// derived hands over what the derivation has in its scratch.
func (d *derivation) derived() *Derived {
	out := &Derived{scratch: d.Scratch, call: d.call, namespace: d.service.Namespace, general: d.groups(), sets: d.ports}
	if len(d.records) > 0 {
		for set := range d.ports.sets {
			out.ports = append(out.ports, Group{AddressType: discoveryv1.AddressTypeIPv4, Ports: d.ports.ports(int32(set))})
		}
	}
	return out
}

// check returns an error where the Scratch has been used for another Input since.
func (d *Derived) check() error {
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

// Expanded returns the Input with all endpoints in Groups, as FromService makes it without a Scratch: in new memory and in
// the order of the Pods, before those that were in Groups already. An Input without Derived is returned as it is. The
// error, with a zero Input, is that of a Scratch that has been used again.
func (in Input) Expanded() (Input, error) {
	d := in.Derived
	if d == nil {
		return in, nil
	}
	if err := d.check(); err != nil {
		return Input{}, err
	}
	var groups []Group
	for f, addressType := range serviceTypes {
		var records []record
		if f == 0 {
			records = d.scratch.records
		}
		whole := d.merge(&d.scratch.families[f], records)
		groups = append(groups, whole.groups(addressType, &d.sets)...)
	}
	in.Groups, in.Derived = append(groups, in.Groups...), nil
	return in, nil
}

// merge makes a family of copies of all endpoints of another and of records, in the order in which they were derived.
func (d *Derived) merge(f *family, records []record) family {
	n := len(f.endpoints) + len(records)
	whole := family{endpoints: make([]discoveryv1.Endpoint, n), sets: make([]int32, n)}
	m := &maker{flags: [2]bool{false, true}}
	next := 0 // of those that are made
	for i := range n {
		if r := i - next; r == len(records) || next < len(f.endpoints) && int(f.after[next]) <= r {
			f.endpoints[next].DeepCopyInto(&whole.endpoints[i])
			whole.sets[i] = f.set(next)
			next++
			continue
		}
		var e discoveryv1.Endpoint
		d.derive(&records[i-next], &e, m)
		e.DeepCopyInto(&whole.endpoints[i])
		whole.sets[i] = records[i-next].set
	}
	return whole
}

// derive makes the endpoint of a record.
func (d *Derived) derive(r *record, e *discoveryv1.Endpoint, m *maker) {
	at := &d.scratch.known[r.place]
	*e = discoveryv1.Endpoint{
		Addresses: m.addresses.next(m),
		Conditions: discoveryv1.EndpointConditions{
			Ready: m.flag(r.state.Ready), Serving: m.flag(r.state.Serving), Terminating: m.flag(r.state.Terminating),
		},
		NodeName: at.node, Zone: at.zone,
		TargetRef: &m.refs.next(m)[0],
	}
	e.Addresses[0] = r.address
	*e.TargetRef = corev1.ObjectReference{Kind: "Pod", Namespace: d.namespace, Name: r.name, UID: r.uid}
}

// maker makes endpoints of records, in memory of its own.
type maker struct {
	endpoints shelf[discoveryv1.Endpoint]
	refs      shelf[corev1.ObjectReference]
	addresses shelf[string]
	flags     [2]bool // what conditions point to: false and true
}

func (m *maker) flag(value bool) *bool {
	if value {
		return &m.flags[1]
	}
	return &m.flags[0]
}

// reset forgets all endpoints.
func (m *maker) reset() {
	m.endpoints.forget()
	m.refs.forget()
	m.addresses.forget()
}

// room doubles the memory whenever there is not enough.
func (m *maker) room() int { return max(64, m.endpoints.before) }
