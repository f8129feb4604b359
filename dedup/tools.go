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
	ops, spare []op
	editor     editor[item]
	candidates []candidate
	removed    map[*record]bool
	place      item // the place at which slices are compared
	elected    item
}

var pool = sync.Pool{New: func() any {
	return &tools{editor: editor[item]{compare: compareItems}, removed: map[*record]bool{}}
}}

// put gives the tools back. Tools that a panic interrupted are not given back.
func (t *tools) put() {
	t.reading.reset()
	t.changes.reset()
	t.reading.shapes, t.reading.lastPorts = emptied(t.reading.shapes), nil
	t.ops, t.spare = emptied(t.ops), emptied(t.spare)
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

// inOrder returns the runs as ops in order. They stay as they are until the next call.
func (t *tools) inOrder(runs []run) []op {
	n := 0
	for i := range runs {
		n += len(runs[i].records)
	}
	clear(t.ops)
	t.ops = slices.Grow(t.ops[:0], n)[:0]
	for _, r := range runs {
		for _, rec := range r.records {
			t.ops = append(t.ops, op{record: rec, host: rec.host, number: r.number, verb: r.verb})
		}
	}
	return t.sorted()
}

// distinct puts records in the order of compareRecords, each once.
func (t *tools) distinct(records []*record) []*record {
	clear(t.ops)
	t.ops = t.ops[:0]
	for _, rec := range records {
		t.ops = append(t.ops, op{record: rec, host: rec.host})
	}
	kept := records[:0]
	for ops := t.sorted(); len(ops) > 0; {
		n := 1
		for n < len(ops) && compareOps(ops[0], ops[n]) == 0 {
			n++
		}
		if n > 1 {
			slices.SortFunc(ops[:n], func(a, b op) int { return compareRecords(a.record, b.record) })
		}
		for i := range ops[:n] {
			if i == 0 || compareRecords(ops[i-1].record, ops[i].record) != 0 {
				kept = append(kept, ops[i].record)
			}
		}
		ops = ops[n:]
	}
	clear(records[len(kept):])
	return kept
}

// sorted sorts t.ops.
func (t *tools) sorted() []op {
	t.spare = slices.Grow(t.spare[:0], len(t.ops))[:len(t.ops)]
	if sorted := sortOps(t.ops, t.spare); len(sorted) > 0 && &sorted[0] != &t.ops[0] {
		t.ops, t.spare = t.spare, t.ops
	}
	return t.ops
}

// emptied drops what a scratch buffer holds.
func emptied[T any](buf []T) []T {
	clear(buf)
	return buf[:0]
}
