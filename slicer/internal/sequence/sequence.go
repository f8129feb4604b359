// Package sequence orders writes that wait for each other. It knows numbers only: nodes are 0 to
// n-1, in the order of their names, and a [Wait] says that one node comes later than another.
//
// Waits may contradict each other, so they have ranks:
//
//   - Strict waits hold, except inside a cycle of Strict waits, which callers should not make.
//   - Firm waits hold, except inside a cycle of Strict and Firm waits. The nodes of such a cycle
//     follow each other directly, so that the contradiction is over as soon as possible.
//   - A [Choice] is a wait of one of several nodes for one of several others, no matter which.
//     Choices are made one by one, ordered by Later and then by Earlier. Of the waits that a choice
//     allows, in the same order, the first one holds that closes no cycle with the Strict waits,
//     the Firm waits and the choices made so far. If each of them would close one, the choice is
//     dropped.
//   - Soft waits are looked at one by one, too. One that would close a cycle with the Strict waits,
//     the Firm waits, the choices and the Soft waits kept so far is dropped. The others hold. So a
//     Soft wait never weakens any other, and in a cycle of Soft waits alone the last by name is
//     dropped.
//
// Of all orders that the waits allow, [Order] returns the one in which node 0 comes as early as
// possible, then node 1, and so on. Without waits that is 0, 1, 2 and so on.
//
// # Cost
//
// Order takes time linear in nodes and waits, apart from sorting, and never recurses. Choices and
// Soft waits cost more. Whether one wait closes a cycle is a question of reachability, and no
// linear algorithm is known that answers many of them. Only a wait inside a cycle of all waits
// needs the answer. One search answers it for all Soft waits of a node, or for all waits of a node
// in a choice. The searches of one Order take at most searchLimit steps for each node, wait and
// node in a choice. When these are used up, the choices and the Soft waits inside cycles that are
// left are dropped. Up to searchLimit searches are never too many.
package sequence

import (
	"cmp"
	"container/heap"
	"slices"
	"sort"
)

// Rank says what becomes of a wait when waits contradict each other.
type Rank uint8

const (
	_ Rank = iota
	// Strict waits hold, except inside a cycle of Strict waits.
	Strict
	// Firm waits hold, except inside a cycle of Strict and Firm waits.
	Firm
	// Soft waits hold, except those that would close a cycle.
	Soft
)

// Wait says that node Later comes after node Earlier. A node that waits for itself waits for
// nothing.
type Wait struct {
	Later, Earlier int
	Rank           Rank
}

// Choice says that at least one of the nodes Later comes after at least one of the nodes Earlier.
// A choice with a node that is in both lists, or with an empty list, says nothing.
type Choice struct {
	Later, Earlier []int
}

// Order returns the nodes 0 to n-1 in an order that meets the waits and choices, as the package
// comment says. The order of both lists, the order of the nodes in a choice, and repetitions do not
// count, and Order changes none of them. Strict waits that make a cycle do not hold inside it. The
// result has every node once in any case.
func Order(n int, waits []Wait, choices []Choice) []int {
	nodes := make([]int, n)
	for v := range nodes {
		nodes[v] = v
	}
	waits, choices = sorted(waits), sortedChoices(choices)
	if len(waits)+len(choices) == 0 {
		return nodes
	}
	cycles := graphOf(nodes, waits, Firm).knots()
	outer := hold(cycles, waits, choices).held.places()
	inner := insideCycles(nodes, cycles, waits)
	slices.SortFunc(nodes, func(a, b int) int {
		x, y := cycles[a], cycles[b]
		return cmp.Or(cmp.Compare(outer[x], outer[y]), cmp.Compare(inner[a], inner[b]), cmp.Compare(a, b))
	})
	return nodes
}

// insideCycles returns a place for each node that orders it among the nodes of its cycle, by Strict
// waits. Nodes whose Strict waits make a cycle share a place.
func insideCycles(nodes, cycles []int, waits []Wait) []int {
	places := make([]int, len(cycles))
	inside := slices.DeleteFunc(slices.Clone(waits), func(w Wait) bool {
		return w.Rank != Strict || cycles[w.Later] != cycles[w.Earlier]
	})
	if len(inside) == 0 {
		return places
	}
	strict := graphOf(nodes, inside, Strict).knots()
	ordered := graphOf(strict, inside, Strict).places()
	for v, knot := range strict {
		places[v] = ordered[knot]
	}
	return places
}

// sorted copies the waits, by Later and Earlier.
func sorted(waits []Wait) []Wait {
	list := slices.Clone(waits)
	slices.SortFunc(list, func(a, b Wait) int {
		return cmp.Or(cmp.Compare(a.Later, b.Later), cmp.Compare(a.Earlier, b.Earlier), cmp.Compare(a.Rank, b.Rank))
	})
	return slices.Compact(list)
}

// sortedChoices copies the choices, by Later and Earlier, without those that say nothing.
func sortedChoices(choices []Choice) []Choice {
	var list []Choice
	for _, c := range choices {
		c = Choice{slices.Sorted(slices.Values(c.Later)), slices.Sorted(slices.Values(c.Earlier))}
		both := slices.ContainsFunc(c.Later, func(v int) bool {
			_, found := slices.BinarySearch(c.Earlier, v)
			return found
		})
		if !both {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b Choice) int {
		return cmp.Or(slices.Compare(a.Later, b.Later), slices.Compare(a.Earlier, b.Earlier))
	})
	return list
}

// graph has for each node the nodes that wait for it.
type graph [][]int

// graphOf has the waits up to a rank. part says which node each node is merged into; a wait between
// nodes that are merged is left out.
func graphOf(part []int, waits []Wait, last Rank) graph {
	g := make(graph, len(part))
	for _, w := range waits {
		if later, earlier := part[w.Later], part[w.Earlier]; w.Rank <= last && later != earlier {
			g[earlier] = append(g[earlier], later)
		}
	}
	return g
}

// reversed has for each node the nodes that it waits for. It counts them first.
func (g graph) reversed() graph {
	sizes := make([]int, len(g))
	for _, list := range g {
		for _, later := range list {
			sizes[later]++
		}
	}
	back := make(graph, len(g))
	for v, size := range sizes {
		back[v] = make([]int, 0, size)
	}
	for earlier, list := range g {
		for _, later := range list {
			back[later] = append(back[later], earlier)
		}
	}
	return back
}

// knots returns for each node the first node of its knot. Two nodes are in one knot if each waits
// for the other, directly or through others. This is Kosaraju's algorithm: the nodes that reach a
// node are its knot, if the nodes are taken from the last to the first that a search has left, and
// without those that have a knot already.
func (g graph) knots() []int {
	var left, knot []int
	seen := make([]bool, len(g))
	for v := range g {
		left = g.walk(v, seen, left)
	}
	back, first := g.reversed(), make([]int, len(g))
	clear(seen)
	for _, v := range slices.Backward(left) {
		knot = back.walk(v, seen, knot[:0])
		slices.Sort(knot)
		for _, w := range knot {
			first[w] = knot[0]
		}
	}
	return first
}

// walk appends the nodes that a depth-first search from a node meets, each when the search leaves
// it. It skips nodes that were seen before. It does not recurse, because a chain may have 100 000
// nodes: a node that is entered leaves its complement on the stack, below the nodes after it.
func (g graph) walk(from int, seen []bool, left []int) []int {
	stack := append(make([]int, 0, 16), from)
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v < 0 {
			left = append(left, ^v)
		} else if !seen[v] {
			seen[v] = true
			stack = append(append(stack, ^v), g[v]...)
		}
	}
	return left
}

// places returns the place of each node in the order. Node 0 comes as early as possible, then node
// 1, and so on. The places are filled from the last one: there goes the last of the nodes that no
// node without a place waits for. The graph has no cycle.
func (g graph) places() []int {
	earlier, waiting := g.reversed(), make([]int, len(g)) // waiting for the node, without a place yet
	ready := &lastFirst{}                                 // numbers that descend are such a heap
	for v, later := range slices.Backward(g) {
		if waiting[v] = len(later); waiting[v] == 0 {
			ready.IntSlice = append(ready.IntSlice, v)
		}
	}
	places := make([]int, len(g))
	for place := len(g) - 1; place >= 0; place-- {
		v := heap.Pop(ready).(int)
		places[v] = place
		for _, to := range earlier[v] {
			if waiting[to]--; waiting[to] == 0 {
				heap.Push(ready, to)
			}
		}
	}
	return places
}

// lastFirst is a heap of numbers with the highest on top.
type lastFirst struct{ sort.IntSlice }

func (h *lastFirst) Less(i, j int) bool { return h.IntSlice.Less(j, i) }
func (h *lastFirst) Push(x any)         { h.IntSlice = append(h.IntSlice, x.(int)) }
func (h *lastFirst) Pop() any {
	last := h.IntSlice[len(h.IntSlice)-1]
	h.IntSlice = h.IntSlice[:len(h.IntSlice)-1]
	return last
}

// searchLimit bounds the steps that the searches for cycles take, for each node, wait and node in a
// choice.
const searchLimit = 64

// keeper decides which choices and Soft waits hold. Its nodes are the cycles of Strict and Firm
// waits, each named after its first node.
type keeper struct {
	cycles   []int // the cycle of each node
	knots    []int // the knot of each cycle, in the graph of all waits and choices
	held     graph // the waits that hold
	searched int   // the cycle that was searched from last
	found    bool  // whether there were steps enough for that search
	seen     []int // the last search that met each cycle

	searches, steps, limit int
}

// hold finds the waits that hold between cycles of Strict and Firm waits. The waits and choices are
// sorted.
func hold(cycles []int, waits []Wait, choices []Choice) *keeper {
	n := len(cycles)
	k := &keeper{cycles: cycles, held: graphOf(cycles, waits, Firm), seen: make([]int, n), searched: -1}
	possible, parts := slices.Clip(waits), slices.Clip(cycles)
	for i, c := range choices { // a node: all Later wait for it, and it waits for all Earlier
		parts = append(parts, n+i)
		for _, v := range c.Later {
			possible = append(possible, Wait{Later: v, Earlier: n + i})
		}
		for _, v := range c.Earlier {
			possible = append(possible, Wait{Later: n + i, Earlier: v})
		}
	}
	k.knots, k.limit = graphOf(parts, possible, Soft).knots(), searchLimit*(n+len(possible))
	for _, c := range choices {
		k.choose(c)
	}
	for _, w := range waits {
		if w.Rank == Soft && cycles[w.Later] != cycles[w.Earlier] {
			k.keep(w.Later, w.Earlier)
		}
	}
	return k
}

// choose keeps the first wait of a choice that closes no cycle.
func (k *keeper) choose(c Choice) {
	for _, later := range c.Later {
		k.steps += len(c.Earlier)
		kept := slices.ContainsFunc(c.Earlier, func(earlier int) bool { return k.keep(later, earlier) })
		if kept || k.steps > k.limit {
			return
		}
	}
}

// keep keeps a wait, unless it would close a cycle or that cannot be known, and reports whether it
// does. A wait between two knots is in no cycle, whatever else is kept. The other waits of a cycle
// share a search, because none of them has a part in the answer for another: a path that ends in
// the cycle has not come out of it before.
func (k *keeper) keep(later, earlier int) bool {
	later, earlier = k.cycles[later], k.cycles[earlier]
	if k.knots[later] == k.knots[earlier] {
		if k.searched != later {
			k.searched, k.found = later, k.search(later)
		}
		if !k.found || k.seen[earlier] == k.searches {
			return false
		}
	}
	k.held[earlier] = append(k.held[earlier], later)
	return true
}

// search finds all cycles of the knot that wait for a cycle, directly or through others. It reports
// false when no steps are left.
func (k *keeper) search(from int) bool {
	k.searches++
	k.seen[from] = k.searches
	stack := append(make([]int, 0, 16), from)
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if k.steps += len(k.held[v]); k.steps > k.limit {
			return false
		}
		for _, to := range k.held[v] {
			if k.seen[to] != k.searches && k.knots[to] == k.knots[from] {
				k.seen[to] = k.searches
				stack = append(stack, to)
			}
		}
	}
	return true
}
