package persist

import "sort"

const (
	// maxChunk bounds what an edit of one element copies. minChunk keeps chunks from withering; a list that has less
	// is one chunk.
	maxChunk = 128
	minChunk = maxChunk / 4
)

// Sorted is an immutable list in order, cut into chunks that versions of it share:
//
//	before  [a b c] [d e f] [g h i]
//	edit e     |    [d E f]    |
//	after   [a b c] [d E f] [g h i]
//
// An edit copies the chunks that it touches and the row of chunk headers, one for about a hundred elements.
type Sorted[T any] struct {
	chunks [][]T // none of them empty
	size   int
}

// Len returns the number of elements.
func (s Sorted[T]) Len() int { return s.size }

// Chunks returns the chunks, none of them empty, read-only: two versions share those that begin at one address.
func (s Sorted[T]) Chunks() [][]T { return s.chunks }

// Find returns the element that compares equal to probe; nil if there is none. It points into the list: read-only.
func (s Sorted[T]) Find(probe *T, compare func(a, b *T) int) *T {
	if len(s.chunks) == 0 {
		return nil
	}
	chunk := s.chunks[chunkOf(s.chunks, probe, compare)]
	i, ok := searchIn(chunk, probe, compare)
	if !ok {
		return nil
	}
	return &chunk[i]
}

// All yields the elements in order, as pointers into the list: read-only.
func (s Sorted[T]) All(yield func(*T) bool) {
	for _, chunk := range s.chunks {
		for i := range chunk {
			if !yield(&chunk[i]) {
				return
			}
		}
	}
}

// Editor makes a new version of a list: begin, then put and remove in the order of the list, then end. It keeps scratch
// memory for the next one. Compare must be set.
type Editor[T any] struct {
	Compare func(a, b *T) int

	old  [][]T // chunks that are still to come
	rest []T   // of the chunk that is being copied
	buf  []T   // what is copied and not yet in a chunk
	tail []T   // a chunk that grows where nothing old follows
	left int   // puts that are still to come, at most
	out  [][]T
	size int
}

// Begin takes the list to edit, and how many puts will follow at most.
func (ed *Editor[T]) Begin(s Sorted[T], puts int) {
	ed.old, ed.size, ed.left = s.chunks, s.size, puts
	ed.out = make([][]T, 0, len(s.chunks)+2)
}

// Put puts an element in the place of the one that compares equal to it, or between others.
func (ed *Editor[T]) Put(element *T) {
	ed.size++
	if len(ed.rest)+len(ed.old)+len(ed.buf) == 0 {
		ed.grow(element)
		return
	}
	ed.seek(element)
	ed.buf = append(ed.buf, *element)
}

// grow appends to the end of the list, without a detour over the buffer.
func (ed *Editor[T]) grow(element *T) {
	if len(ed.tail) == maxChunk {
		ed.out, ed.tail = append(ed.out, ed.tail), nil
	}
	if ed.tail == nil {
		ed.tail = make([]T, 0, min(maxChunk, ed.left))
	}
	ed.tail = append(ed.tail, *element)
	ed.left--
}

// Remove takes out the element that compares equal to probe, if there is one.
func (ed *Editor[T]) Remove(probe *T) { ed.seek(probe) }

// seek copies what comes before probe, and drops what compares equal to it.
func (ed *Editor[T]) seek(probe *T) {
	untouched := len(ed.rest)+len(ed.buf) == 0
	if len(ed.old) > 0 && (untouched || ed.Compare(&ed.old[0][0], probe) <= 0) {
		ed.finishChunk()
		if chunkOf(ed.old, probe, ed.Compare) > 0 {
			ed.close()
			at := chunkOf(ed.old, probe, ed.Compare)
			ed.out, ed.old = append(ed.out, ed.old[:at]...), ed.old[at:]
		}
		ed.rest, ed.old = ed.old[0], ed.old[1:]
	}
	at, found := searchIn(ed.rest, probe, ed.Compare)
	ed.buf, ed.rest = append(ed.buf, ed.rest[:at]...), ed.rest[at:]
	if found {
		ed.rest = ed.rest[1:]
		ed.size--
	}
	ed.spill()
}

// finishChunk copies the rest of the current chunk.
func (ed *Editor[T]) finishChunk() {
	ed.buf, ed.rest = append(ed.buf, ed.rest...), nil
	ed.spill()
}

// spill cuts a chunk off the buffer when that leaves enough for another.
func (ed *Editor[T]) spill() {
	for len(ed.buf) >= maxChunk+minChunk {
		ed.cut(maxChunk)
	}
}

func (ed *Editor[T]) cut(n int) {
	ed.out = append(ed.out, append(make([]T, 0, n), ed.buf[:n]...))
	left := copy(ed.buf, ed.buf[n:])
	clear(ed.buf[left:])
	ed.buf = ed.buf[:left]
}

// close puts what is in the buffer into chunks. If it is too little for one, it takes a neighbour in.
func (ed *Editor[T]) close() {
	if n := len(ed.buf); n > 0 && n < minChunk {
		switch last := len(ed.out) - 1; {
		case last >= 0:
			ed.buf = append(append(make([]T, 0, 2*maxChunk), ed.out[last]...), ed.buf...)
			ed.out = ed.out[:last]
		case len(ed.old) > 0:
			ed.buf, ed.old = append(ed.buf, ed.old[0]...), ed.old[1:]
		}
	}
	if len(ed.buf) > maxChunk {
		ed.cut(len(ed.buf) / 2)
	}
	if len(ed.buf) > 0 {
		ed.cut(len(ed.buf))
	}
}

// End returns the new version.
func (ed *Editor[T]) End() Sorted[T] {
	ed.finishChunk()
	if n := len(ed.tail); n == cap(ed.tail) && n >= minChunk {
		ed.out = append(ed.out, ed.tail)
	} else {
		ed.buf = append(ed.buf, ed.tail...)
	}
	ed.tail = nil
	ed.close()
	s := Sorted[T]{chunks: append(ed.out, ed.old...), size: ed.size}
	ed.old, ed.out = nil, nil
	return s
}

// chunkOf returns the index of the last chunk that does not start after probe, or 0.
func chunkOf[T any](chunks [][]T, probe *T, compare func(a, b *T) int) int {
	i := sort.Search(len(chunks), func(i int) bool { return compare(&chunks[i][0], probe) > 0 })
	return max(i-1, 0)
}

// searchIn returns where probe is or would be in a chunk.
func searchIn[T any](chunk []T, probe *T, compare func(a, b *T) int) (int, bool) {
	i := sort.Search(len(chunk), func(i int) bool { return compare(&chunk[i], probe) >= 0 })
	return i, i < len(chunk) && compare(&chunk[i], probe) == 0
}
