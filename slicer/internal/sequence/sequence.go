// Package sequence orders writes that wait for each other. It knows numbers only: a node is a
// write, and a [Wait] says that one node comes later than another.
//
// Waits may contradict each other. Therefore they are added one by one, ordered by Rank and Later,
// and a wait that would close a cycle with the waits added before it is dropped. Of the waits of a
// [Choice] only the first one that closes no cycle is added.
//
// # Cost
//
// To find cycles, [Order] searches at most once for each node, for each Rank and for the choices.
// A search looks at each node and each wait at most once. So the cost is the product of nodes and
// waits. The searches of one call are limited to searchLimit steps for each node and wait. When the
// steps are used up, the remaining choices are dropped, and so is every further wait that might
// close a cycle. With up to 1 000 nodes the limit is never reached: the searches for three ranks
// and for the choices take at most 4 000 steps for each node and wait, and trying the waits of
// choices takes at most 1 000.
package sequence

import (
	"cmp"
	"container/heap"
	"slices"
)

// Rank says which waits are added first: those of the lowest Rank.
type Rank uint8

const (
	First  Rank = iota
	Second      // before the choices
	Third       // after the choices
)

// Wait says that node Later comes after node Earlier. If both are the same node, the wait has no
// effect.
type Wait struct {
	Later, Earlier int
	Rank           Rank
}

// Choice says that at least one of the nodes Later comes after at least one of the nodes Earlier.
// Choices are decided between the waits of the ranks Second and Third. The pairs of all choices are
// tried in the order of Later, and for each Later in the order of Earlier. If a list is empty, or a
// node is in both lists, the choice has no effect.
type Choice struct{ Later, Earlier []int }

// Order returns the nodes in an order that meets the waits and choices, as the package comment
// says. The first of the nodes comes as early as possible, then the second one, and so on. nodes
// lists each node once. All numbers in waits and choices must be in nodes, and the lists of a
// Choice must be sorted. The order of waits and choices and repetitions make no difference. Order
// does not change its arguments.
func Order(nodes []int, waits []Wait, choices []Choice) []int {
	if len(nodes) == 0 {
		return nil
	}
	waits = slices.Clone(waits)
	slices.SortFunc(waits, func(a, b Wait) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Later, b.Later), cmp.Compare(a.Earlier, b.Earlier))
	})
	waits = slices.Compact(waits)
	g := newGraph(slices.Max(nodes)+1, waits, choices)
	third := slices.IndexFunc(waits, func(w Wait) bool { return w.Rank == Third })
	if third < 0 {
		third = len(waits)
	}
	for _, w := range waits[:third] {
		g.add(w.Later, w.Earlier)
	}
	g.choose(choices)
	for _, w := range waits[third:] {
		g.add(w.Later, w.Earlier)
	}
	return g.order(nodes)
}

// searchLimit times the number of nodes and waits is the number of steps that searches may take.
// The package comment says why it is 5 000.
const searchLimit = 5000

// graph has the waits that were added. They make no cycle.
type graph struct {
	later [][]int // by node: the nodes that wait for it
	waits []bool  // by node: it waits for a node
	from  int     // the node of the last search, or -1 if its result may be wrong by now
	seen  []int   // by node: the number of the last search that found it
	count int     // the number of the last search
	steps int     // the steps that are left
	stack []int   // memory of search
}

func newGraph(n int, waits []Wait, choices []Choice) *graph {
	size := n + len(waits)
	for _, c := range choices {
		size += len(c.Later) + len(c.Earlier)
	}
	return &graph{
		later: make([][]int, n), waits: make([]bool, n), from: -1, seen: make([]int, n), steps: searchLimit * size,
	}
}

// add adds a wait and returns true. If the wait would close a cycle, or the steps are used up
// before that is known, add returns false.
func (g *graph) add(later, earlier int) bool {
	if later == earlier {
		return false
	}
	if len(g.later[later]) > 0 && g.waits[earlier] { // otherwise, no cycle is possible
		if g.from != later {
			g.search(later)
		}
		if g.steps < 0 || g.seen[earlier] == g.count {
			return false
		}
	}
	if g.from != later {
		g.from = -1
	}
	g.later[earlier] = append(g.later[earlier], later)
	g.waits[later] = true
	return true
}

// search finds the nodes that wait for a node, directly or through others. The result stays right
// when waits of this node are added, because they make no other node wait for it.
func (g *graph) search(from int) {
	g.from = from
	g.count++
	stack := append(g.stack[:0], from)
	for len(stack) > 0 && g.steps >= 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		g.steps -= 1 + len(g.later[v])
		for _, w := range g.later[v] {
			if g.seen[w] != g.count {
				g.seen[w] = g.count
				stack = append(stack, w)
			}
		}
	}
	g.stack = stack
}

// choose adds one wait for each choice. It takes the nodes in their order and decides all choices
// in which a node may wait, so that one search for each node is enough.
func (g *graph) choose(choices []Choice) {
	if len(choices) == 0 {
		return
	}
	open := make([][]int, len(g.later)) // by node: the choices in which it may wait
	for i, c := range choices {
		both := slices.ContainsFunc(c.Later, func(v int) bool {
			_, found := slices.BinarySearch(c.Earlier, v)
			return found
		})
		for _, v := range c.Later {
			if !both {
				open[v] = append(open[v], i)
			}
		}
	}
	met := make([]bool, len(choices))
	for v, list := range open {
		for _, i := range list {
			for k := 0; !met[i] && g.steps >= 0 && k < len(choices[i].Earlier); k++ {
				g.steps--
				met[i] = g.add(v, choices[i].Earlier[k])
			}
		}
	}
}

// order returns the nodes in an order that meets all waits. It fills the places from the end. A
// node is free for a place if all nodes that wait for it have a place. Each place gets the last of
// the free nodes.
func (g *graph) order(nodes []int) []int {
	n := len(g.later)
	earlier := make([][]int, n) // by node: the nodes that it waits for
	waiting := make([]int, n)   // by node: how many nodes without a place wait for it
	free := &lastFirst{place: make([]int, n)}
	for place, v := range nodes {
		free.place[v] = place
		waiting[v] = len(g.later[v])
		for _, w := range g.later[v] {
			earlier[w] = append(earlier[w], v)
		}
		if waiting[v] == 0 {
			free.nodes = append(free.nodes, v)
		}
	}
	heap.Init(free)
	ordered := make([]int, len(nodes))
	for place := range slices.Backward(ordered) {
		v := heap.Pop(free).(int)
		ordered[place] = v
		for _, w := range earlier[v] {
			if waiting[w]--; waiting[w] == 0 {
				heap.Push(free, w)
			}
		}
	}
	return ordered
}

// lastFirst is a heap of nodes with the last one on top.
type lastFirst struct {
	nodes []int
	place []int // by node
}

func (h *lastFirst) Len() int           { return len(h.nodes) }
func (h *lastFirst) Less(i, j int) bool { return h.place[h.nodes[i]] > h.place[h.nodes[j]] }
func (h *lastFirst) Swap(i, j int)      { h.nodes[i], h.nodes[j] = h.nodes[j], h.nodes[i] }
func (h *lastFirst) Push(v any)         { h.nodes = append(h.nodes, v.(int)) }
func (h *lastFirst) Pop() any {
	last := h.nodes[len(h.nodes)-1]
	h.nodes = h.nodes[:len(h.nodes)-1]
	return last
}
