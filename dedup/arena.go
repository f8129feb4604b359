package dedup

import (
	discoveryv1 "k8s.io/api/discovery/v1"
)

// batch bounds how many records share memory: one that stays holds the whole batch, so it must not be large; one
// allocation for each would be slow. 51 records of 80 bytes are 4 KiB.
const batch = 51

// arena makes records. What a lasting arena makes stays; what a scratch arena makes is overwritten after its reset.
type arena struct {
	lasting bool
	left    int // records that are still to come, at most

	records []record
	mores   []more
	nodes   []discoveryv1.ForNode
}

// expect says how many records will be made.
func (a *arena) expect(n int) { a.left = n }

func (a *arena) reset() {
	if a.lasting {
		*a = arena{lasting: true}
		return
	}
	a.records, a.mores, a.nodes = emptied(a.records), emptied(a.mores), emptied(a.nodes)
}

func (a *arena) record() *record {
	a.records = room(a, a.records)
	a.left--
	if n := len(a.records); a.lasting {
		a.records = a.records[:n+1] // fresh from room, so it is zero, and writing zeros costs time
	} else {
		a.records = append(a.records, record{})
	}
	return &a.records[len(a.records)-1]
}

// moreFor returns what is in r.more, which is empty if it was nil.
func (a *arena) moreFor(r *record) *more {
	if r.more == nil {
		a.mores = room(a, a.mores)
		a.mores = append(a.mores, more{})
		r.more = &a.mores[len(a.mores)-1]
	}
	return r.more
}

// hints copies hints for nodes.
func (a *arena) hints(list []discoveryv1.ForNode) []discoveryv1.ForNode {
	if len(list) > 1 {
		return inOrder(list, compareForNodes)
	}
	a.nodes = room(a, a.nodes)
	a.nodes = append(a.nodes, list...)
	return a.nodes[len(a.nodes)-len(list) : len(a.nodes) : len(a.nodes)]
}

// copy makes a copy of a record of another arena.
func (a *arena) copy(r *record) *record {
	c := a.record()
	*c = *r
	if m := r.more; m != nil {
		c.more = nil
		to := a.moreFor(c)
		*to = *m
		to.nodes = nil
		if len(m.nodes) > 0 {
			to.nodes = a.hints(m.nodes)
		}
	}
	return c
}

// room returns a list that one can be appended to. A lasting arena gives each batch memory of its own.
func room[T any](a *arena, list []T) []T {
	if a.lasting && len(list) == cap(list) {
		return make([]T, 0, min(batch, max(a.left, 1)))
	}
	return list
}
