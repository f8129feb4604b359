package allocate

import "container/heap"

// queue is a heap of indexes. list[0] comes first by an order that has no ties.
type queue struct {
	list  []int
	order func(a, b int) int
}

// Numbers returns the numbers from 0 to n-1.
func Numbers(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// newQueue returns a queue of the list, which may be in any order. It keeps the list.
func newQueue(list []int, order func(a, b int) int) *queue {
	q := &queue{list: list, order: order}
	heap.Init(q)
	return q
}

func (q *queue) Len() int { return len(q.list) }

func (q *queue) Less(i, j int) bool { return q.order(q.list[i], q.list[j]) < 0 }

func (q *queue) Swap(i, j int) { q.list[i], q.list[j] = q.list[j], q.list[i] }

// Push is never called: a queue only becomes shorter.
func (q *queue) Push(any) {}

// Pop removes the last index. heap.Pop has moved the first index there.
func (q *queue) Pop() any {
	q.list = q.list[:len(q.list)-1]
	return nil
}
