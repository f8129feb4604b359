package dedup

import (
	"slices"
	"sync"
)

// tools is the scratch memory of one flush. It comes from a pool and goes back empty, so that an index that rests holds
// no scratch memory, and nothing that is gone stays alive through it.
type tools struct {
	reading    reading
	changes    changes
	lists      []*record // what runs point to
	ops        opList
	editor     editor[item]
	candidates []candidate
	removed    map[*record]bool
	place      item // the place at which slices are compared
	elected    item
}

var pool = sync.Pool{New: func() any {
	return &tools{
		reading: reading{lasting: arena{lasting: true}}, editor: editor[item]{compare: compareItems}, removed: map[*record]bool{},
	}
}}

// put gives the tools back. Tools that a panic interrupted are not given back.
func (t *tools) put() {
	t.reading.reset()
	t.changes.reset()
	t.ops.reset()
	t.reading.shapes, t.reading.lastPorts = emptied(t.reading.shapes), nil
	t.lists, t.candidates = emptied(t.lists), emptied(t.candidates)
	t.place, t.elected = item{}, item{}
	pool.Put(t)
}

// keep copies a list of records to where it stays until the flush ends.
func (t *tools) keep(records []*record) []*record {
	start := len(t.lists)
	t.lists = append(t.lists, records...)
	return t.lists[start:len(t.lists):len(t.lists)]
}

// distinct puts records in the order of compareRecords, each once.
func (t *tools) distinct(records []*record) []*record {
	l := &t.ops
	l.reset()
	l.add(opAdd, 0, records)
	kept := records[:0]
	for ops := l.sort(); len(ops) > 0; {
		n := l.next(ops)
		start := len(kept)
		for _, o := range ops[:n] {
			kept = append(kept, l.records[o.index])
		}
		if n > 1 {
			same := kept[start:]
			slices.SortFunc(same, compareRecords)
			same = slices.CompactFunc(same, func(a, b *record) bool { return compareRecords(a, b) == 0 })
			kept = kept[:start+len(same)]
		}
		ops = ops[n:]
	}
	clear(records[len(kept):])
	return kept
}

// emptied drops what a scratch buffer holds.
func emptied[T any](buf []T) []T {
	clear(buf)
	return buf[:0]
}
