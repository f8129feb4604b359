package allocate

// queue is a heap: list[0] is the index that comes first by an order that has no ties.
type queue struct {
	list  []int
	order func(a, b int) int
	looks int // comparisons
}

// newQueue keeps the list, which may be in any order.
func newQueue(list []int, order func(a, b int) int) queue {
	q := queue{list: list, order: order}
	for n := range list {
		q.sink(len(list) - 1 - n)
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
			if q.looks++; q.order(q.list[child], q.list[first]) < 0 {
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
