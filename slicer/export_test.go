package slicer

import (
	discoveryv1 "k8s.io/api/discovery/v1"
)

// Memory is what one Compute leaves to the next.
type Memory struct{ memory }

// Compute is Compute in this memory.
func (m *Memory) Compute(in Input, existing []*discoveryv1.EndpointSlice) (Plan, error) {
	return m.compute(in, existing)
}

// ReassignLooks returns at how many items reassignPorts looks.
func ReassignLooks(in Input, existing []*discoveryv1.EndpointSlice) (looks int) {
	m := &memory{}
	r, w, x, h := &m.rules, &m.wanted, &m.present, &m.homes
	r.read(&in)
	collect(&in, r, w)
	sortExisting(&in, existing, x.relate(&in, existing, r), r, w, x)
	match(r, w, x, nil, h)
	a := newReassignment(r, w, h)
	free := a.unassigned.Free
	a.unassigned.Free = func(item int32) bool {
		looks++
		return free(item)
	}
	for i := range x.slices {
		a.reassign(int32(i), &x.slices[i])
	}
	return looks
}
