package sequence

// partition puts each node into one part. Parts are numbered by their first node: part 0 has node 0.
type partition struct {
	of    []int // the part of each node
	count int
}

// earlierOf lists for each node the nodes that it waits for, in the order of waits.
func earlierOf(n int, waits []Wait) [][]int {
	earlier := make([][]int, n)
	for _, w := range waits {
		earlier[w.Later] = append(earlier[w.Later], w.Earlier)
	}
	return earlier
}

// components returns the strongly connected components: two nodes are in one part if each waits for the other, directly
// or through others. It is Tarjan's algorithm with a stack of its own, because a chain may have 100 000 nodes.
func components(n int, waits []Wait) partition {
	t := tarjan{earlier: earlierOf(n, waits), found: make([]int, n), low: make([]int, n), part: make([]int, n)}
	for v := range n {
		if t.found[v] == 0 {
			t.search(v)
		}
	}
	return numbered(t.part)
}

type tarjan struct {
	earlier [][]int // of each node the neighbours that have not been looked at
	found   []int   // when the search met the node, from 1; 0: not yet
	low     []int   // the first node still open that the node is known to reach
	part    []int   // of the node, from 1; 0: still open
	path    []int   // from the root of the search to the node where it is
	open    []int   // nodes without part, in the order in which they were met
	clock   int
	parts   int
}

func (t *tarjan) search(root int) {
	t.enter(root)
	for len(t.path) > 0 {
		v := t.path[len(t.path)-1]
		if len(t.earlier[v]) == 0 {
			t.leave(v)
			continue
		}
		to := t.earlier[v][0]
		t.earlier[v] = t.earlier[v][1:]
		if t.found[to] == 0 {
			t.enter(to)
		} else if t.part[to] == 0 {
			t.low[v] = min(t.low[v], t.found[to])
		}
	}
}

func (t *tarjan) enter(v int) {
	t.clock++
	t.found[v], t.low[v] = t.clock, t.clock
	t.path, t.open = append(t.path, v), append(t.open, v)
}

// leave ends the search below a node. A node that reaches nothing open before it closes a part.
func (t *tarjan) leave(v int) {
	t.path = t.path[:len(t.path)-1]
	if len(t.path) > 0 {
		above := t.path[len(t.path)-1]
		t.low[above] = min(t.low[above], t.low[v])
	}
	if t.low[v] != t.found[v] {
		return
	}
	t.parts++
	for last := -1; last != v; {
		last = t.open[len(t.open)-1]
		t.open = t.open[:len(t.open)-1]
		t.part[last] = t.parts
	}
}

// numbered gives parts, which are marked from 1 in any order, their numbers.
func numbered(marks []int) partition {
	p := partition{of: make([]int, len(marks))}
	numbers := make([]int, len(marks)+1)
	for v, mark := range marks {
		if numbers[mark] == 0 {
			p.count++
			numbers[mark] = p.count
		}
		p.of[v] = numbers[mark] - 1
	}
	return p
}
