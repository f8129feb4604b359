package allocate

// queue is a heap: the least item is on top. The order may depend on numbers of the caller, who changes them for the top item
// only, and then calls fix or drop.
type queue[T any] struct {
	less func(a, b T) bool
	list []T
}

func (q *queue[T]) empty() bool { return len(q.list) == 0 }

func (q *queue[T]) top() T { return q.list[0] }

func (q *queue[T]) add(item T) {
	q.list = append(q.list, item)
	for i := len(q.list) - 1; i > 0; {
		parent := (i - 1) / 2
		if !q.less(q.list[i], q.list[parent]) {
			return
		}
		q.list[i], q.list[parent] = q.list[parent], q.list[i]
		i = parent
	}
}

// fix restores the order after the top became greater.
func (q *queue[T]) fix() {
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(q.list) {
			return
		}
		if child+1 < len(q.list) && q.less(q.list[child+1], q.list[child]) {
			child++
		}
		if !q.less(q.list[child], q.list[i]) {
			return
		}
		q.list[i], q.list[child] = q.list[child], q.list[i]
		i = child
	}
}

// drop removes the top.
func (q *queue[T]) drop() {
	last := len(q.list) - 1
	q.list[0] = q.list[last]
	q.list = q.list[:last]
	q.fix()
}
