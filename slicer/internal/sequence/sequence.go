// Package sequence orders writes that wait for each other. It knows numbers only: nodes are 0 to
// n-1, in the order of their names, and a [Wait] says that one node comes later than another.
//
// Waits may contradict each other, so they have ranks:
//
//   - Strict waits hold, except inside a cycle of Strict waits, which callers should not make.
//   - Firm waits hold, except inside a cycle of Strict and Firm waits. The nodes of such a cycle
//     follow each other directly, so that the contradiction is over as soon as possible.
//   - A [Choice] has two lists of nodes: at least one node of Later must wait for one of Earlier.
//     Choices are made one by one, ordered by Later and then by Earlier. A choice allows several
//     waits, which are tried in the same order. The first one that closes no cycle with the Strict
//     waits, the Firm waits and the choices made so far holds. If each of them would close a cycle,
//     the choice is dropped.
//   - Soft waits are decided one by one, after the choices, ordered by Later and then by Earlier. A
//     Soft wait is dropped if it would close a cycle with the Strict waits, the Firm waits, the
//     choices and the Soft waits kept so far. All other Soft waits hold. So a Soft wait never
//     causes a wait of another kind to be dropped. In a cycle that has only Soft waits, the last
//     one in that order is dropped.
//
// [Order] returns one of the orders that the waits allow: node 0 comes as early as possible, then
// node 1, and so on. Without waits, the order is 0, 1, 2 and so on.
//
// # Knots
//
// A knot is a strongly connected component: two nodes are in one knot if each of them waits for the
// other, directly or through others. A node that is in no cycle is a knot of its own. Order uses
// knots twice. First, each knot of the Strict and Firm waits is merged into one node, which is
// named after the first node of the knot. Second, Order computes the knots of the graph of all
// waits and choices. A choice or a Soft wait between two of these knots is in no cycle, so it holds
// without a search.
//
// # Cost
//
// Order takes time linear in nodes and waits, apart from sorting, and never recurses. Choices and
// Soft waits cost more, because Order must know whether such a wait closes a cycle. That is a
// question of reachability, and no linear algorithm is known that answers many such questions. Only
// a wait inside a knot of all waits needs an answer. One search answers the question for all Soft
// waits with the same Later, or for all waits of a choice with the same Later.
//
// The searches of one Order are limited to N*searchLimit steps, where N is the number of nodes and
// waits plus the lengths of all lists in choices. When the steps are used up, all undecided choices
// and Soft waits inside knots are dropped. The steps are enough for at least searchLimit searches.
package sequence

import (
	"cmp"
	"container/heap"
	"slices"
	"sort"
)

// Rank decides which waits are dropped if waits contradict each other. See the package comment.
type Rank uint8

const (
	_ Rank = iota
	// Strict waits hold, except inside a cycle of Strict waits.
	Strict
	// Firm waits hold, except inside a cycle of Strict and Firm waits.
	Firm
	// Soft waits hold, except those that would close a cycle with the waits decided before them.
	Soft
)

// Wait says that node Later comes after node Earlier. If both are the same node, the wait has no
// effect.
type Wait struct {
	Later, Earlier int
	Rank           Rank
}

// Choice says that at least one of the nodes Later comes after at least one of the nodes Earlier.
// If a list is empty, or a node is in both lists, the choice has no effect.
type Choice struct{ Later, Earlier []int }

// Order returns the nodes 0 to n-1 in an order that meets the waits and choices, as the package
// comment says. The result has every node once, even if Strict waits make a cycle; inside the
// cycle, they do not hold. The order of waits and choices, the order of the nodes in a choice, and
// repetitions do not matter. Order does not change its arguments.
func Order(n int, waits []Wait, choices []Choice) []int {
	nodes := make([]int, n)
	for v := range nodes {
		nodes[v] = v
	}
	waits, choices = sorted(waits), sortedChoices(choices)
	if len(waits)+len(choices) == 0 {
		return nodes
	}
	knots := graphOf(nodes, waits, Firm).knots()
	outer := hold(knots, waits, choices).held.places()
	inner := insideKnots(nodes, knots, waits)
	slices.SortFunc(nodes, func(a, b int) int {
		return cmp.Or(cmp.Compare(outer[knots[a]], outer[knots[b]]), cmp.Compare(inner[a], inner[b]), cmp.Compare(a, b))
	})
	return nodes
}

// insideKnots returns for each node its place among the nodes that are merged into the same node.
// The Strict waits between these nodes decide. Nodes whose Strict waits make a cycle share a place.
func insideKnots(nodes, merged []int, waits []Wait) []int {
	places := make([]int, len(merged))
	inside := slices.DeleteFunc(slices.Clone(waits), func(w Wait) bool {
		return w.Rank != Strict || merged[w.Later] != merged[w.Earlier]
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

// sorted returns a copy of the waits without repetitions, sorted by Later, Earlier and Rank.
func sorted(waits []Wait) []Wait {
	list := slices.Clone(waits)
	slices.SortFunc(list, func(a, b Wait) int {
		return cmp.Or(cmp.Compare(a.Later, b.Later), cmp.Compare(a.Earlier, b.Earlier), cmp.Compare(a.Rank, b.Rank))
	})
	return slices.Compact(list)
}

// sortedChoices returns a copy of the choices, sorted by Later and Earlier, without the choices
// that have a node in both lists.
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

// graph has for each node the list of nodes that wait for it.
type graph [][]int

// graphOf returns the graph of the waits up to a rank. part maps each node to the node that it is
// merged into. A wait between two nodes that are merged into one is left out.
func graphOf(part []int, waits []Wait, last Rank) graph {
	g := make(graph, len(part))
	for _, w := range waits {
		if later, earlier := part[w.Later], part[w.Earlier]; w.Rank <= last && later != earlier {
			g[earlier] = append(g[earlier], later)
		}
	}
	return g
}

// reversed returns a graph that has for each node the nodes that it waits for.
func (g graph) reversed() graph {
	// Each list is counted first, so that it is allocated once.
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

// knots returns for each node the first node of its knot. The package comment says what a knot is.
//
// This is Kosaraju's algorithm. A depth-first search finishes the nodes in some order. The nodes
// are then taken in the reverse of that order: the knot of a node has all nodes that reach the node
// and have no knot yet.
func (g graph) knots() []int {
	var finished, knot []int
	seen := make([]bool, len(g))
	for v := range g {
		finished = g.walk(v, seen, finished)
	}
	back, first := g.reversed(), make([]int, len(g))
	clear(seen)
	for _, v := range slices.Backward(finished) {
		knot = back.walk(v, seen, knot[:0])
		slices.Sort(knot)
		for _, w := range knot {
			first[w] = knot[0]
		}
	}
	return first
}

// walk makes a depth-first search from a node. When the search has finished a node, walk appends
// the node to finished. It skips nodes that were seen before. It does not recurse, because a chain
// may have 100 000 nodes. Instead it keeps a stack: when the search enters node v, it pushes ^v
// below the nodes that wait for v. Once ^v is on top, v is finished.
func (g graph) walk(from int, seen []bool, finished []int) []int {
	stack := append(make([]int, 0, 16), from)
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v < 0 {
			finished = append(finished, ^v)
		} else if !seen[v] {
			seen[v] = true
			stack = append(append(stack, ^v), g[v]...)
		}
	}
	return finished
}

// places returns the place of each node in the order. Node 0 comes as early as possible, then node
// 1, and so on. The graph must not have a cycle.
//
// Places are filled from the end. A node is free for the place if all nodes that wait for it
// already have a place. Each place gets the highest free node.
func (g graph) places() []int {
	earlier := g.reversed()
	waiting := make([]int, len(g)) // by node: how many nodes without a place wait for it
	ready := &lastFirst{}          // the nodes are added in descending order, so this is a heap
	for v, later := range slices.Backward(g) {
		if waiting[v] = len(later); waiting[v] == 0 {
			ready.IntSlice = append(ready.IntSlice, v)
		}
	}
	places := make([]int, len(g))
	for place := range slices.Backward(places) {
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

// searchLimit times the size of the graph is the number of steps that the searches for cycles may
// take. The package comment defines the size.
const searchLimit = 64

// keeper decides which choices and Soft waits hold. It works on merged nodes: each knot of the
// Strict and Firm waits is one node.
type keeper struct {
	merged   []int // for each node: the node into which it is merged
	knots    []int // for each merged node: its knot in the graph of all waits and choices
	held     graph // the waits that hold, between merged nodes
	searched int   // the merged node from which the last search began, or -1
	found    bool  // whether the last search was finished before the steps were used up
	seen     []int // for each merged node: the number of the last search that met it

	searches int // the number of the last search
	steps    int // the steps of all searches and choices
	limit    int // searches stop when steps is above limit
}

// hold returns a keeper with the waits that hold between merged nodes. The waits and choices must
// be sorted.
func hold(merged []int, waits []Wait, choices []Choice) *keeper {
	n := len(merged)
	k := &keeper{merged: merged, held: graphOf(merged, waits, Firm), seen: make([]int, n), searched: -1}
	possible, parts := slices.Clip(waits), slices.Clip(merged)
	for i, c := range choices {
		// A choice becomes an additional node. All nodes in Later wait for this node, and it waits
		// for all nodes in Earlier. That is enough to find the knots of all waits that the choice
		// allows.
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
		if w.Rank == Soft && merged[w.Later] != merged[w.Earlier] {
			k.keep(w.Later, w.Earlier)
		}
	}
	return k
}

// choose adds the first wait of a choice that closes no cycle.
func (k *keeper) choose(c Choice) {
	for _, later := range c.Later {
		k.steps += len(c.Earlier) // counted as steps, because a choice may allow many waits
		kept := slices.ContainsFunc(c.Earlier, func(earlier int) bool { return k.keep(later, earlier) })
		if kept || k.steps > k.limit {
			return
		}
	}
}

// keep adds a wait and returns true. If the wait would close a cycle, or the steps are used up
// before that is known, keep returns false and does not add it.
func (k *keeper) keep(later, earlier int) bool {
	later, earlier = k.merged[later], k.merged[earlier]
	// A wait between two knots is in no cycle, even after other waits are added.
	if k.knots[later] == k.knots[earlier] {
		// One search finds all nodes that wait for the node named later. Its result stays right
		// when this node gets further waits, because these do not make any other node wait for this
		// node.
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

// search marks in k.seen all nodes of a node's knot that wait for the node, directly or through
// others. It reports whether it was finished before the steps were used up.
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
