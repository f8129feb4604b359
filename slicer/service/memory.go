package service

import (
	"sync"

	corev1 "k8s.io/api/core/v1"
)

// memory is what one call works in, for each stage what it fills. Plan takes it from a pool and gives it back without a
// pointer to anything of the caller's; what Input returns lies in memory that no other call sees.
type memory struct {
	reader    reader
	wanted    wanted
	published publishedMemory
}

var pool = sync.Pool{New: func() any { return &memory{} }}

func takeMemory() *memory { return pool.Get().(*memory) }

// begin makes ready to read workloads, and returns where to note what they want.
func (m *memory) begin(r *rules, of workloads, node func(name string) *corev1.Node) *wanted {
	m.reader.begin(r, of, node)
	m.wanted.reader = &m.reader
	return &m.wanted
}

// release clears all that was used and gives it back.
func (m *memory) release() {
	m.reader.release()
	m.wanted.release()
	m.published.release()
	pool.Put(m)
}

// arena hands out pointers that stay valid: it never grows a block, it starts another.
type arena[T any] struct {
	block []T
	left  int // values in earlier blocks
}

// next returns a pointer to a zero value.
func (a *arena[T]) next() *T {
	a.reserve(1)
	a.block = a.block[:len(a.block)+1]
	return &a.block[len(a.block)-1]
}

// reserve makes room for n values that lie together.
func (a *arena[T]) reserve(n int) {
	const few = 64
	if cap(a.block)-len(a.block) < n {
		a.left += len(a.block)
		a.block = make([]T, 0, max(n, few, 2*cap(a.block)))
	}
}

// clear forgets all values, and makes room for as many in one block.
func (a *arena[T]) clear() {
	if n := a.left + len(a.block); n > cap(a.block) {
		a.block = make([]T, n)
	}
	clear(a.block)
	a.block, a.left = a.block[:0], 0
}
