package slicer

import (
	discoveryv1 "k8s.io/api/discovery/v1"
)

// Rounds runs the stages of Compute that are repeated when a slice above the maximum must take other hints. It returns how
// often they run, and whether each time but the last added a slice to those that are split, which is why they end.
func Rounds(in Input, existing []*discoveryv1.EndpointSlice) (rounds int, grew bool) {
	m, r := stagesOf(&in, existing)
	grew = true
	for split := (splits{}); ; {
		rounds++
		match(r, &m.wanted, &m.present, split, &m.homes)
		reassignPorts(r, &m.wanted, &m.present, &m.homes)
		m.layout.stayHome(&m.present, &m.homes)
		dropSurplus(r, &m.wanted, &m.homes, &m.layout)
		assign(r, &m.wanted, &m.present, &m.layout)
		m.contents.list(&m.wanted, &m.layout)
		d := decideHints(r, &m.wanted, &m.present, &m.homes, &m.layout, &m.contents)
		if len(d.overMax) == 0 {
			return rounds, grew
		}
		for _, i := range d.overMax {
			grew = grew && !split.has(int(i))
		}
		split = split.with(d.overMax, m.present.slices)
	}
}

// stagesOf returns fresh memory in which the stages before match have run.
func stagesOf(in *Input, existing []*discoveryv1.EndpointSlice) (*memory, *rules) {
	m := &memory{}
	r := m.rulesOf(in)
	collect(in, r, &m.wanted)
	validate(in, existing, r, &m.present)
	sortExisting(in, existing, r, &m.wanted, &m.present)
	return m, r
}

// Memory is what one Compute leaves to the next.
type Memory struct{ memory }

// Compute is Compute in this memory.
func (m *Memory) Compute(in Input, existing []*discoveryv1.EndpointSlice) (Plan, error) {
	return m.plan(in, existing)
}

// Splits returns which slices are split after each round in which one slice is overMax. types are the slices' address types.
func Splits(types []int32, overMax ...int32) (rounds [][]bool) {
	live := make([]liveSlice, len(types))
	for i, t := range types {
		live[i].typ = t
	}
	s := splits{}
	for _, i := range overMax {
		s = s.with([]int32{i}, live)
		rounds = append(rounds, s.slices)
	}
	return rounds
}

// ReassignLooks returns at how many items reassignPorts looks.
func ReassignLooks(in Input, existing []*discoveryv1.EndpointSlice) (looks int) {
	m, r := stagesOf(&in, existing)
	match(r, &m.wanted, &m.present, splits{}, &m.homes)
	a := newReassignment(r, &m.wanted, &m.homes)
	free := a.unassigned.free
	a.unassigned.free = func(item int32) bool {
		looks++
		return free(item)
	}
	for i := range m.present.slices {
		a.reassign(int32(i), &m.present.slices[i])
	}
	return looks
}
