package service

import (
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
)

// memory is what one call works in. Plan takes it from a pool and gives it back without a pointer to anything of the
// caller's; what Input returns lies in memory that no other call sees.
type memory struct {
	wanted []wanted
	texts  []string // addresses of wanted endpoints that have no other place
	places places

	// What wanted endpoints that are made point to.
	targets arena[corev1.ObjectReference]
	lists   arena[[1]string]

	// For one Pod.
	ips      []string
	declared []BackendPort

	// For finding what slices have already.
	table   addressTable
	slices  []*discoveryv1.EndpointSlice
	matches []match                     // of one slice's endpoints
	blocks  arena[discoveryv1.Endpoint] // endpoints that are copied or made, and
	times   arena[time.Time]            // when they changed, place by place
	runs    []run
	list    []slicer.Group
	left    []int32
}

var pool = sync.Pool{New: func() any { return &memory{} }}

func takeMemory() *memory { return pool.Get().(*memory) }

// release clears all that was used and gives it back.
func (m *memory) release() {
	clear(m.wanted)
	clear(m.texts)
	clear(m.places.known)
	clear(m.ips[:cap(m.ips)])
	clear(m.declared[:cap(m.declared)])
	clear(m.slices)
	clear(m.runs)
	clear(m.list)
	m.places.texts.clear()
	m.targets.clear()
	m.lists.clear()
	m.blocks.clear()
	m.times.clear()
	*m = memory{
		wanted: m.wanted[:0], texts: m.texts[:0],
		places:  places{known: m.places.known[:0], slots: m.places.slots, texts: m.places.texts},
		targets: m.targets, lists: m.lists,
		ips: m.ips[:0], declared: m.declared[:0],
		table: m.table, slices: m.slices[:0], matches: m.matches[:0], blocks: m.blocks, times: m.times, runs: m.runs[:0],
		list: m.list[:0], left: m.left[:0],
	}
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
