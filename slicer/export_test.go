package slicer

import discoveryv1 "k8s.io/api/discovery/v1"

// Rounds runs the stages of Compute that are repeated when a slice above the maximum must take other hints. It returns how
// often they run, and whether each time but the last added a slice to those that are split, which is why they end.
func Rounds(in Input, existing []*discoveryv1.EndpointSlice) (rounds int, grew bool) {
	m := memories.New().(*memory)
	r := m.rulesOf(&in)
	w := collect(&in, r, &m.groups, &m.items, &m.wanted)
	validate(&in, existing, r, &m.present)
	x := sortExisting(&in, existing, r, &w, &m.groups, &m.present)
	grew = true
	for split := (splits{}); ; {
		rounds++
		h := reassignPorts(r, &w, &x, match(r, &w, &x, split, &m.homes))
		l := place(r, &w, &x, dropSurplus(r, &w, h, m.layout.stayHome(&x, h)))
		d := decideHints(r, &w, &x, h, l, m.contents.list(&w, l))
		if len(d.crowded) == 0 {
			return rounds, grew
		}
		for _, i := range d.crowded {
			grew = grew && !split.has(int(i))
		}
		split = split.with(d.crowded, x.slices)
	}
}

// Splits returns which slices are split after each round in which one slice is crowded. types are the slices' address types.
func Splits(types []int32, crowded ...int32) (rounds [][]bool) {
	live := make([]liveSlice, len(types))
	for i, t := range types {
		live[i].typ = t
	}
	s := splits{}
	for _, i := range crowded {
		s = s.with([]int32{i}, live)
		rounds = append(rounds, s.slices)
	}
	return rounds
}

// ReassignLooks returns at how many items reassignPorts looks.
func ReassignLooks(in Input, existing []*discoveryv1.EndpointSlice) (looks int) {
	m := memories.New().(*memory)
	r := m.rulesOf(&in)
	w := collect(&in, r, &m.groups, &m.items, &m.wanted)
	validate(&in, existing, r, &m.present)
	x := sortExisting(&in, existing, r, &w, &m.groups, &m.present)
	a := newReassignment(r, &w, match(r, &w, &x, splits{}, &m.homes))
	free := a.homeless.free
	a.homeless.free = func(item int32) bool {
		looks++
		return free(item)
	}
	for i := range x.slices {
		a.reassign(int32(i), &x.slices[i])
	}
	return looks
}
