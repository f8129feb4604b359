package slicer

import discoveryv1 "k8s.io/api/discovery/v1"

// Rounds runs the stages of Compute that are repeated when a slice above the maximum must take other hints. It returns how
// often they run, and whether each time but the last added a slice to those that are split, which is why they end.
func Rounds(in Input, existing []*discoveryv1.EndpointSlice) (rounds int, grew bool) {
	m := memories.New().(*memory)
	r := rulesOf(&in)
	w := collect(&in, r, &m.groups, &m.finder, &m.wanted)
	x := sortExisting(&in, existing, r, &w, &m.groups, &m.present)
	grew = true
	for split := (splits{}); ; {
		rounds++
		h := reassignPorts(r, &w, &x, match(r, &w, &x, &m.finder, split, &m.homes), &m.finder, &m.sorter)
		l := place(r, &w, &x, dropSurplus(r, &w, h, m.layout.stayHome(&x, h), &m.sorter), &m.finder, &m.sorter)
		d := decideHints(r, &w, &x, h, l, m.contents.list(&w, l, &m.sorter), &m.finder)
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
