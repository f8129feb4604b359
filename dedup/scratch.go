package dedup

import (
	"math"
	"slices"
	"sync"

	"github.com/slicewright/slicewright/dedup/internal/persist"
)

// scratch is the memory of one flush. It comes from a pool and goes back empty, so that an index that rests holds
// no scratch memory, and nothing that is gone stays alive through it.
type scratch struct {
	reading reading
	changes changes
	wire    []uint16  // positions of the slice that was put in order last
	ops     opList    // for sorting the records of a slice
	spare   []*opList // for ports
	editor  portEditor
	ports   persist.Editor[portView]
}

var pool = sync.Pool{New: func() any {
	return &scratch{reading: reading{lasting: arena{lasting: true}}, editor: portEditor{
		items: persist.Editor[item]{Compare: compareItems}, disputes: persist.Editor[dispute]{Compare: compareDisputes},
	}, ports: persist.Editor[portView]{Compare: comparePortViews}}
}}

// put gives the memory back. Memory that a panic interrupted is not given back.
func (t *scratch) put() {
	t.reading.reset()
	t.changes.reset()
	t.ops.reset()
	t.reading.shapes, t.reading.lastPorts = shapes{}, nil
	pool.Put(t)
}

// opList returns an empty list.
func (t *scratch) opList() *opList {
	last := len(t.spare) - 1
	if last < 0 {
		return &opList{}
	}
	list := t.spare[last]
	t.spare = t.spare[:last]
	return list
}

// spareLists bounds how many lists are kept for later.
const spareLists = 16

func (t *scratch) recycle(list *opList) {
	if len(t.spare) < spareLists {
		list.reset()
		t.spare = append(t.spare, list)
	}
}

// distinct puts records in the order of compareRecords, each once. If no address comes twice, positions says where each
// record went; it is scratch memory, else nil.
func (t *scratch) distinct(records []*record) (kept []*record, positions []uint16) {
	l := &t.ops
	l.reset()
	l.add(add, 0, records)
	kept = records[:0]
	t.wire = slices.Grow(t.wire[:0], len(records))[:len(records)]
	unique := len(records) <= math.MaxUint16
	for ops := l.sort(l.compareNames); len(ops) > 0; {
		n := same(ops, l.compareNames)
		start := len(kept)
		unique = unique && n == 1
		if unique {
			t.wire[ops[0].index] = uint16(start)
		}
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
	if !unique {
		return kept, nil
	}
	return kept, t.wire
}

// emptied drops what a scratch buffer holds.
func emptied[T any](buf []T) []T {
	clear(buf)
	return buf[:0]
}
