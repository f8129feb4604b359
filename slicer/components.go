package slicer

import "slices"

// waits names for a slice those that must be written earlier.
type waits map[int32][]int32

// add notes that a slice waits for another, unless that is created, and so early enough.
func (w waits) add(later, earlier int32) {
	if earlier < createBase && later != earlier {
		w[later] = append(w[later], earlier)
	}
}

// ordering sorts slices so that each comes after those it waits for. must has no cycles and always holds; where should
// and must together make a cycle, its slices follow each other without regard to should.
type ordering struct {
	must, should waits
	compare      func(a, b int32) int
}

// sort orders nodes, which are sorted by compare; among those that may come next the first in that order comes first.
func (o *ordering) sort(nodes []int32) []int32 {
	if len(o.must)+len(o.should) == 0 {
		return nodes
	}
	for _, w := range [...]waits{o.must, o.should} {
		for _, list := range w {
			slices.SortFunc(list, o.compare)
		}
	}
	t := &tarjan{waits: [...]waits{o.must, o.should}, index: map[int32]int{}, low: map[int32]int{}, onStack: map[int32]bool{}}
	for _, n := range nodes {
		if _, seen := t.index[n]; !seen {
			t.visit(n)
		}
	}
	ordered := make([]int32, 0, len(nodes))
	for _, component := range t.components {
		ordered = append(ordered, o.cycle(component)...)
	}
	return ordered
}

// cycle orders the slices of a strongly connected component by must, then by compare.
func (o *ordering) cycle(component []int32) []int32 {
	if len(component) == 1 {
		return component
	}
	slices.SortFunc(component, o.compare)
	pending := make(map[int32]bool, len(component))
	for _, n := range component {
		pending[n] = true
	}
	ordered := make([]int32, 0, len(component))
	var visit func(n int32)
	visit = func(n int32) {
		if !pending[n] {
			return
		}
		pending[n] = false
		for _, earlier := range o.must[n] {
			visit(earlier)
		}
		ordered = append(ordered, n)
	}
	for _, n := range component {
		visit(n)
	}
	return ordered
}

// tarjan finds strongly connected components; each is complete after all those that it waits for.
type tarjan struct {
	waits      [2]waits
	index, low map[int32]int
	onStack    map[int32]bool
	stack      []int32
	components [][]int32
}

func (t *tarjan) visit(n int32) {
	t.index[n] = len(t.index)
	t.low[n] = t.index[n]
	t.stack = append(t.stack, n)
	t.onStack[n] = true
	for _, w := range t.waits {
		for _, m := range w[n] {
			if _, seen := t.index[m]; !seen {
				t.visit(m)
				t.low[n] = min(t.low[n], t.low[m])
			} else if t.onStack[m] {
				t.low[n] = min(t.low[n], t.index[m])
			}
		}
	}
	if t.low[n] != t.index[n] {
		return
	}
	for at := len(t.stack) - 1; ; at-- {
		t.onStack[t.stack[at]] = false
		if t.stack[at] == n {
			t.components = append(t.components, slices.Clone(t.stack[at:]))
			t.stack = t.stack[:at]
			return
		}
	}
}
