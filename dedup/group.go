package dedup

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/decide"
)

// keyed is one group of a Cache.
type keyed[K comparable, E any] struct {
	sources []*held[K, E]      // in the order of namespaces and names
	keys    map[K]*entry[K, E] // the winner of each key; the field next of an entry leads to the others

	rivals []*entry[K, E] // scratch memory of decide, like claims
	claims []decide.Claim
}

// held is a source with the entries of its last Put.
type held[K comparable, E any] struct {
	from    content.Origin
	entries []entry[K, E] // in the order of Put; never moved, because keyed.keys and entry.next point into the list
}

// entry is an entry of a source. All entries of a key are a linked list.
type entry[K comparable, E any] struct {
	key   K
	entry E
	state conditions.State
	// target is the object that the entry stands for
	target *corev1.ObjectReference
	wins   bool // the entry is first in its list, and the list has not changed since the winner was chosen
	index  int32
	held   *held[K, E]
	next   *entry[K, E] // the next entry of the key; nil for the last
}

// find returns the position of a source in sources, and whether it is there.
func (g *keyed[K, E]) find(slice types.NamespacedName) (int, bool) {
	return slices.BinarySearchFunc(g.sources, slice, func(h *held[K, E], slice types.NamespacedName) int {
		return content.CompareNames(h.from.Name, slice)
	})
}

// exchange replaces the entries of a source: before is removed, and after is added.
func (g *keyed[K, E]) exchange(before, after *held[K, E]) {
	for i := range after.entries {
		e := &after.entries[i]
		if e.next = g.keys[e.key]; e.next != nil {
			e.next.wins = false
		}
		g.keys[e.key] = e
	}
	for i := range before.entries {
		g.drop(&before.entries[len(before.entries)-1-i]) // backwards, because later entries are nearer to the head
	}
	g.choose(after)
	g.choose(before)
}

// drop removes an entry from the list of its key.
func (g *keyed[K, E]) drop(e *entry[K, E]) {
	first := g.keys[e.key]
	switch {
	case first != e:
		first.wins = false
		for first.next != e {
			first = first.next
		}
		first.next = e.next
	case e.next == nil:
		delete(g.keys, e.key)
	default:
		g.keys[e.key] = e.next
	}
}

// For each key of a source whose winner may have changed, choose finds the winner and puts it
// first.
func (g *keyed[K, E]) choose(h *held[K, E]) {
	for i := range h.entries {
		key := h.entries[i].key
		first := g.keys[key]
		if first == nil || first.wins {
			continue
		}
		if first.next != nil {
			first = g.decide(first)
			g.keys[key] = first
		}
		first.wins = true
	}
}

// decide returns the winner of a key, and moves it to the head of the list.
func (g *keyed[K, E]) decide(first *entry[K, E]) *entry[K, E] {
	g.rivals = g.rivals[:0]
	g.claims = g.claims[:0]
	for e := first; e != nil; e = e.next {
		g.rivals = append(g.rivals, e)
		g.claims = append(g.claims, decide.Claim{From: &e.held.from, Target: e.target, State: e.state})
	}
	all := g.rivals
	claims := decide.Claims{List: g.claims, Fields: func(i, j int32) int { return int(all[i].index - all[j].index) }}
	winner := claims.Winner()
	if winner > 0 {
		all[winner-1].next = all[winner].next
		all[winner].next = first
	}
	first = all[winner]
	clear(g.rivals)
	clear(g.claims)
	return first
}
