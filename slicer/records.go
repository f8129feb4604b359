package slicer

import (
	"net/netip"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/key"
)

// Items of Derived have no endpoint at first. Where an existing slice holds just the endpoint that the Pod would get,
// match gives them that one; it makes the others.

// fromRecord is the group in the source of an item that comes from a record.
const fromRecord = -1

// maker makes endpoints of records, in memory of its own.
type maker struct {
	endpoints shelf[discoveryv1.Endpoint]
	refs      shelf[corev1.ObjectReference]
	addresses shelf[string]
	flags     [2]bool
}

// reset forgets all endpoints.
func (m *maker) reset() {
	m.endpoints.clear()
	m.refs.clear()
	m.addresses.clear()
}

// room doubles the memory whenever there is not enough.
func (m *maker) room() int { return max(64, m.endpoints.before) }

// deferred reports whether the records can be planned with as they are. Rules that look at wanted endpoints first, one by
// one, need them made.
func (in *Input) deferred() bool {
	if in.Derived == nil || in.Options.Identity != ByAddress || in.Options.Hints.Mode == hints.Given {
		return false
	}
	if len(in.Set.AddressTypes) == 0 {
		return true
	}
	wanted := typeSet(in.Set.AddressTypes)
	for i := range in.Derived.general {
		if !wanted[typeIndex(in.Derived.general[i].AddressType)] {
			return false
		}
	}
	return wanted[ipv4]
}

// collectRecords makes items of records.
func (p *planner) collectRecords(d *Derived) {
	p.places = d.scratch.known
	groups := make([]int32, len(d.ports))
	for i := range groups {
		groups[i] = none
	}
	for i := range d.scratch.records {
		r := &d.scratch.records[i]
		group := &groups[r.set]
		if *group == none {
			*group = p.internGroup(ipv4, &d.ports[r.set])
		}
		p.noteOrder(p.add(*group, source{fromRecord, int32(i)}, r.ip))
	}
	p.types[ipv4] = p.types[ipv4] || len(d.scratch.records) > 0
}

func (p *planner) record(it *item) *record { return &p.in.Derived.scratch.records[it.source.endpoint] }

// endpoint returns the item's endpoint, and makes it if need be.
func (p *planner) endpoint(it *item) *discoveryv1.Endpoint {
	if it.endpoint == nil {
		it.endpoint = &p.maker.endpoints.next(&p.maker)[0]
		p.derive(p.record(it), it.endpoint, &p.maker)
	}
	return it.endpoint
}

// makeAll makes the endpoints that are missing still.
func (p *planner) makeAll() {
	if p.in.Derived == nil {
		return
	}
	for i := range p.items {
		if i%reach == 0 {
			p.touched += p.touchRecords(p.items[i:min(i+reach, len(p.items))])
		}
		p.endpoint(&p.items[i])
	}
}

// wanted returns an item's endpoint as FromService makes it, in memory that outlives planner and Scratch.
func (p *planner) wanted(it *item) discoveryv1.Endpoint {
	switch {
	case p.in.Derived == nil:
		return *it.endpoint
	case it.source.group != fromRecord:
		return *it.endpoint.DeepCopy()
	default:
		var e discoveryv1.Endpoint
		p.derive(p.record(it), &e, &p.maker)
		return *e.DeepCopy()
	}
}

// derive makes the endpoint of a record.
func (p *planner) derive(r *record, e *discoveryv1.Endpoint, m *maker) {
	at := &p.places[r.place]
	flag := func(value bool) *bool {
		if value {
			return &m.flags[1]
		}
		return &m.flags[0]
	}
	*e = discoveryv1.Endpoint{
		Addresses: m.addresses.next(m),
		Conditions: discoveryv1.EndpointConditions{
			Ready: flag(r.state.Ready), Serving: flag(r.state.Serving), Terminating: flag(r.state.Terminating),
		},
		NodeName: at.node, Zone: at.zone,
		TargetRef: &m.refs.next(m)[0],
	}
	e.Addresses[0] = p.address(r)
	*e.TargetRef = corev1.ObjectReference{
		Kind: "Pod", Namespace: p.in.Derived.service.Namespace, Name: r.name, UID: r.uid,
	}
}

// address returns a record's address as a text, the Pod's own where that is where it comes from.
func (p *planner) address(r *record) string {
	status := &r.pod.Status
	if p.in.Derived.options.Addresses != nil {
		return netip.AddrFrom4([4]byte{byte(r.ip >> 24), byte(r.ip >> 16), byte(r.ip >> 8), byte(r.ip)}).String()
	}
	for i := range status.PodIPs {
		if ip, _ := key.IPv4(status.PodIPs[i].IP); ip == r.ip {
			return status.PodIPs[i].IP
		}
	}
	return status.PodIP
}

// holds reports whether an existing endpoint of the same address is, but for hints, just what derive would make.
func (p *planner) holds(e *discoveryv1.Endpoint, r *record) bool {
	c, at, ref := &e.Conditions, &p.places[r.place], e.TargetRef
	return ref != nil && e.Hostname == nil &&
		ref.Name == r.name && ref.UID == r.uid && ref.Kind == "Pod" &&
		ref.Namespace == p.in.Derived.service.Namespace && ref.APIVersion == "" && ref.FieldPath == "" &&
		c.Ready != nil && *c.Ready == r.state.Ready && c.Serving != nil && *c.Serving == r.state.Serving &&
		c.Terminating != nil && *c.Terminating == r.state.Terminating &&
		text(e.NodeName) == at.name && text(e.Zone) == text(at.zone)
}
