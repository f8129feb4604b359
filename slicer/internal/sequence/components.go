package sequence

// partition puts each node into one part. Parts are numbered by their first node: part 0 has node 0.
type partition struct {
	of    []int // the part of each node
	count int
}

// neighbours has for each node the nodes that it waits for, one list after the other.
type neighbours struct {
	ends  []int // of the lists
	nodes []int
}

// earlierOf lists for each node the nodes that it waits for, in the order of waits: it counts them, then puts each at the start
// of what is left of its node's list.
func earlierOf(n int, waits []Wait) neighbours {
	l := neighbours{ends: make([]int, n+1), nodes: make([]int, len(waits))}
	for _, w := range waits {
		l.ends[w.Later+1]++
	}
	for v := range n {
		l.ends[v+1] += l.ends[v]
	}
	// Now ends[v] is where v's list starts. It moves to where the list ends.
	for _, w := range waits {
		l.nodes[l.ends[w.Later]] = w.Earlier
		l.ends[w.Later]++
	}
	return l
}

func (l neighbours) of(v int) []int {
	start := 0
	if v > 0 {
		start = l.ends[v-1]
	}
	return l.nodes[start:l.ends[v]]
}

// components returns the strongly connected components: two nodes are in one part if each waits for the other, directly
// or through others. It is Tarjan's algorithm with a stack of its own, because a chain may have 100 000 nodes.
func components(n int, waits []Wait) partition {
	t := tarjan{
		earlier: earlierOf(n, waits), found: make([]int, n), low: make([]int, n), next: make([]int, n),
		part: make([]int, n),
	}
	for v := range n {
		if t.found[v] == 0 {
			t.search(v)
		}
	}
	return numbered(t.part)
}

type tarjan struct {
	earlier neighbours
	found   []int // when the search met the node, from 1; 0: not yet
	low     []int // the first node still open that the node is known to reach
	next    []int // how many of the node's neighbours have been looked at
	part    []int // of the node, from 1; 0: still open
	path    []int // from the root of the search to the node where it is
	open    []int // nodes without part, in the order in which they were met
	clock   int
	parts   int
}

func (t *tarjan) search(root int) {
	t.enter(root)
	for len(t.path) > 0 {
		v := t.path[len(t.path)-1]
		if list := t.earlier.of(v); t.next[v] < len(list) {
			to := list[t.next[v]]
			t.next[v]++
			if t.found[to] == 0 {
				t.enter(to)
			} else if t.part[to] == 0 {
				t.low[v] = min(t.low[v], t.found[to])
			}
			continue
		}
		t.leave(v)
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
