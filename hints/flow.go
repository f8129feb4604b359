package hints

// flow finds a maximum flow between two nodes of a small graph (Dinic's algorithm: push along the shortest paths until
// there are none of that length, as long as there are any). It keeps its memory from run to run.
type flow struct {
	first  []int32 // of each node's edges, -1 for none
	edges  []flowEdge
	level  []int32
	cursor []int32
	queue  []int32
}

// Edge i and edge i^1 are the two directions of one link.
type flowEdge struct {
	to, next int32
	room     int
}

// reset starts a graph of nodes without links.
func (f *flow) reset(nodes int) {
	f.edges = f.edges[:0]
	f.first = f.first[:0]
	for range nodes {
		f.first = append(f.first, -1)
	}
	if cap(f.level) < nodes {
		f.level, f.cursor = make([]int32, nodes), make([]int32, nodes)
	}
	f.level, f.cursor = f.level[:nodes], f.cursor[:nodes]
}

// link adds a link and returns its number. Links are tried in the order in which they are added, last first.
func (f *flow) link(from, to, room int) int {
	i := len(f.edges)
	f.edges = append(f.edges,
		flowEdge{to: int32(to), next: f.first[from], room: room},
		flowEdge{to: int32(from), next: f.first[to]})
	f.first[from], f.first[to] = int32(i), int32(i+1)
	return i
}

// used returns how much runs through a link.
func (f *flow) used(link int) int { return f.edges[link^1].room }

// run returns the maximum flow from source to sink.
func (f *flow) run(source, sink int) int {
	total := 0
	for f.layer(source, sink) {
		copy(f.cursor, f.first)
		for {
			pushed := f.push(int32(source), int32(sink), maxInt)
			if pushed == 0 {
				break
			}
			total += pushed
		}
	}
	return total
}

const maxInt = int(^uint(0) >> 1)

// layer numbers the nodes by their distance from the source and reports whether the sink can be reached.
func (f *flow) layer(source, sink int) bool {
	for i := range f.level {
		f.level[i] = -1
	}
	f.level[source] = 0
	f.queue = append(f.queue[:0], int32(source))
	for i := 0; i < len(f.queue); i++ {
		node := f.queue[i]
		for e := f.first[node]; e >= 0; e = f.edges[e].next {
			if to := f.edges[e].to; f.edges[e].room > 0 && f.level[to] < 0 {
				f.level[to] = f.level[node] + 1
				f.queue = append(f.queue, to)
			}
		}
	}
	return f.level[sink] >= 0
}

// push sends up to limit along one path of the layers.
func (f *flow) push(node, sink int32, limit int) int {
	if node == sink {
		return limit
	}
	for ; f.cursor[node] >= 0; f.cursor[node] = f.edges[f.cursor[node]].next {
		e := f.cursor[node]
		edge := &f.edges[e]
		if edge.room == 0 || f.level[edge.to] != f.level[node]+1 {
			continue
		}
		if pushed := f.push(edge.to, sink, min(limit, edge.room)); pushed > 0 {
			f.edges[e].room -= pushed
			f.edges[e^1].room += pushed
			return pushed
		}
	}
	return 0
}
