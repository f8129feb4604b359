package sequence

import (
	"container/heap"
	"sort"
)

// arrange returns for each part its place in the order: part 0 comes as early as possible, then part 1, and so on. It
// fills the places from the last one: there goes the last of the parts that no part without a place waits for. Waits
// inside a part do not count. The others make no cycle, or the parts in it share place 0.
func arrange(parts partition, waits []Wait) []int {
	earlier := make([][]int, parts.count) // for which parts the part waits
	waiting := make([]int, parts.count)   // for the part, without a place yet
	for _, w := range waits {
		if later, to := parts.of[w.Later], parts.of[w.Earlier]; later != to {
			earlier[later] = append(earlier[later], to)
			waiting[to]++
		}
	}
	ready := &lastFirst{}
	for part, n := range waiting {
		if n == 0 {
			ready.IntSlice = append(ready.IntSlice, part)
		}
	}
	heap.Init(ready)
	places := make([]int, parts.count)
	for place := parts.count; ready.Len() > 0; {
		place--
		part := heap.Pop(ready).(int)
		places[part] = place
		for _, to := range earlier[part] {
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
