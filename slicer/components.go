package slicer

import "slices"

// components orders nodes so that each comes after those in before[node], and the nodes of a cycle together, by compare.
// nodes are sorted by compare; among those that may come next the first in that order comes first.
func components(nodes []int32, before map[int32][]int32, compare func(a, b int32) int) []int32 {
	c := &tarjan{before: before, index: map[int32]int{}, low: map[int32]int{}, onStack: map[int32]bool{}}
	for _, list := range before {
		slices.SortFunc(list, compare)
	}
	for _, n := range nodes {
		if _, seen := c.index[n]; !seen {
			c.visit(n)
		}
	}
	ordered := make([]int32, 0, len(nodes))
	for _, component := range c.components {
		slices.SortFunc(component, compare)
		ordered = append(ordered, component...)
	}
	return ordered
}

// tarjan finds strongly connected components; each is complete after all those that must come before it.
type tarjan struct {
	before     map[int32][]int32
	index, low map[int32]int
	onStack    map[int32]bool
	stack      []int32
	components [][]int32
}

func (c *tarjan) visit(n int32) {
	c.index[n] = len(c.index)
	c.low[n] = c.index[n]
	c.stack = append(c.stack, n)
	c.onStack[n] = true
	for _, m := range c.before[n] {
		if _, seen := c.index[m]; !seen {
			c.visit(m)
			c.low[n] = min(c.low[n], c.low[m])
		} else if c.onStack[m] {
			c.low[n] = min(c.low[n], c.index[m])
		}
	}
	if c.low[n] != c.index[n] {
		return
	}
	for at := len(c.stack) - 1; ; at-- {
		c.onStack[c.stack[at]] = false
		if c.stack[at] == n {
			c.components = append(c.components, slices.Clone(c.stack[at:]))
			c.stack = c.stack[:at]
			return
		}
	}
}
