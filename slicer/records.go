package slicer

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
)

// Items of records have no endpoint at first. Where an existing slice holds just the endpoint that the Pod would get, they
// are given that very one, hints and all; the others are made.

// fromRecord is the group in the source of an item that comes from a record.
const fromRecord = -1

// deferred reports whether the records can be planned with as they are. Rules that look at wanted endpoints first, one by
// one, need them made.
func (in *Input) deferred() bool {
	if in.Derived == nil || in.Options.ByTargetUID || in.Options.Hints.Mode == hints.Given {
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
	return wanted[ipv4] || len(in.Derived.scratch.records) == 0
}

// collectRecords makes items of records.
func (p *planner) collectRecords(d *Derived) {
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
		p.in.Derived.derive(p.record(it), it.endpoint, &p.maker)
	}
	return it.endpoint
}

// makeAll makes the endpoints that are missing still.
func (p *planner) makeAll() {
	if p.in.Derived == nil {
		return
	}
	for i := range p.items {
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
		p.in.Derived.derive(p.record(it), &e, &p.maker)
		return *e.DeepCopy()
	}
}

// is reports whether an item of a group is an existing endpoint, whatever else that says.
func (p *planner) is(it *item, e *discoveryv1.Endpoint) bool {
	if it.endpoint == nil && !p.groups[it.group].byUID {
		if ip := onlyIPv4(e); ip != 0 {
			ref := e.TargetRef
			return ip == it.ip && text(e.Hostname) == "" && ref != nil &&
				ref.Name == p.record(it).name && ref.Namespace == p.in.Derived.namespace && ref.Kind == "Pod"
		}
	}
	return p.same(p.endpoint(it), e, it.group)
}

// twins reports whether two items of one group are one endpoint.
func (p *planner) twins(a, b *item) bool {
	if a.endpoint == nil && b.endpoint == nil {
		return a.ip == b.ip && p.record(a).name == p.record(b).name
	}
	return p.same(p.endpoint(a), p.endpoint(b), a.group)
}

// holds reports whether an existing endpoint of the same address is, but for hints, just what a record says.
func (p *planner) holds(e *discoveryv1.Endpoint, r *record) bool {
	d := p.in.Derived
	c, at, ref := &e.Conditions, &d.scratch.known[r.place], e.TargetRef
	return ref != nil && e.Hostname == nil &&
		ref.Name == r.name && ref.UID == r.uid && ref.Kind == "Pod" &&
		ref.Namespace == d.namespace && ref.APIVersion == "" && ref.FieldPath == "" &&
		c.Ready != nil && *c.Ready == r.state.Ready && c.Serving != nil && *c.Serving == r.state.Serving &&
		c.Terminating != nil && *c.Terminating == r.state.Terminating &&
		text(e.NodeName) == at.name && text(e.Zone) == text(at.zone)
}
