package allocate

// queue is a heap: list[0] is the index that comes first by an order that has no ties.
type queue struct {
	list   []int
	before func(a, b int) bool
	looks  int // comparisons
}

// newQueue keeps the list, which may be in any order.
func newQueue(list []int, before func(a, b int) bool) queue {
	q := queue{list: list, before: before}
	for at := len(list) - 1; at >= 0; at-- {
		q.sink(at)
	}
	return q
}

// sink puts the index at a place where it belongs if it has come to belong behind others.
func (q *queue) sink(at int) {
	for {
		first := at
		for _, child := range [...]int{2*at + 1, 2*at + 2} {
			if child >= len(q.list) {
				break
			}
			if q.looks++; q.before(q.list[child], q.list[first]) {
				first = child
			}
		}
		if first == at {
			return
		}
		q.list[at], q.list[first] = q.list[first], q.list[at]
		at = first
	}
}

// pop removes the first index.
func (q *queue) pop() {
	last := len(q.list) - 1
	q.list[0] = q.list[last]
	q.list = q.list[:last]
	q.sink(0)
}
