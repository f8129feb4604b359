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
	r := m.rulesOf(&in)
	collect(&in, r, &m.wanted)
	validate(&in, existing, r, &m.present)
	sortExisting(&in, existing, r, &m.wanted, &m.present)
	match(r, &m.wanted, &m.present, splits{}, &m.homes)
	a := newReassignment(r, &m.wanted, &m.homes)
	free := a.unassigned.Free
	a.unassigned.Free = func(item int32) bool {
		looks++
		return free(item)
	}
	for i := range m.present.slices {
		a.reassign(int32(i), &m.present.slices[i])
	}
	return looks
}
