package dedup

import (
	"slices"
)

// holding is what the index keeps of one slice: copies, and strings, but none of the caller's pointers.
type holding struct {
	service  string // empty if the slice does not say whose it is
	age      age
	source   *source
	ports    []slicePort
	records  []*record // in order, each once
	troubled bool      // it has problems
}

var nothingHeld holding

// changes is how the records of a slice differ from those of its last version.
type changes struct {
	kept, removed, added []*record
}

// batch bounds how many records share memory: one that stays holds the whole batch, so it must not be large; one
// allocation for each would be slow.
const batch = 32

// publish turns scratch records into ones that stay, and keeps those of before that did not change. Both are in order.
func (c *changes) publish(before, scratch []*record) []*record {
	after := make([]*record, 0, len(scratch))
	for len(before) > 0 && len(scratch) > 0 {
		switch order := compareRecords(before[0], scratch[0]); {
		case order == 0:
			c.kept, after = append(c.kept, before[0]), append(after, before[0])
			before, scratch = before[1:], scratch[1:]
		case order < 0:
			c.removed, before = append(c.removed, before[0]), before[1:]
		default:
			c.added, after = append(c.added, scratch[0]), append(after, nil)
			scratch = scratch[1:]
		}
	}
	c.removed = append(c.removed, before...)
	c.added = append(c.added, scratch...)
	for range scratch {
		after = append(after, nil)
	}
	for added := range slices.Chunk(c.added, batch) {
		settled(added)
	}
	next := 0
	for i := range after {
		if after[i] == nil {
			after[i] = c.added[next]
			next++
		}
	}
	return after
}

// settled replaces scratch records by copies with memory of their own.
func settled(records []*record) {
	copies := make([]record, len(records))
	extra := 0
	for i, r := range records {
		copies[i], records[i] = *r, &copies[i]
		if r.more != nil {
			extra++
		}
	}
	if extra == 0 {
		return
	}
	mores := make([]more, 0, extra)
	for i := range copies {
		if m := copies[i].more; m != nil {
			mores = append(mores, *m)
			last := &mores[len(mores)-1]
			last.nodes = slices.Clone(m.nodes)
			copies[i].more = last
		}
	}
}

// keep copies the lists to where they stay until the flush ends.
func (c *changes) keep(t *tools) (kept, removed, added []*record) {
	return t.keep(c.kept), t.keep(c.removed), t.keep(c.added)
}

func (c *changes) reset() {
	c.kept, c.removed, c.added = emptied(c.kept), emptied(c.removed), emptied(c.added)
}
