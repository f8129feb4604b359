package dedup

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/content"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/decide"
)

// Rank is what decides between entries of one key.
type Rank struct {
	// Target is the object that the entry stands for. If entries have the same target, the entry in
	// the newest source wins. An entry whose Target has neither UID nor Name stands for an object
	// of its own.
	Target Target
	// State decides between targets: not terminating comes first, then ready, then serving.
	State conditions.State
}

// RankOf returns the rank of an entry that was made from an endpoint. It is the zero Rank for nil.
func RankOf(e *discoveryv1.Endpoint) Rank {
	if e == nil {
		return Rank{}
	}
	return Rank{Target: Target(content.TargetOf(e)), State: conditions.Of(e.Conditions)}
}

// Source is a slice that entries come from, identified by its name. A Source also records how new
// the slice is.
type Source struct {
	// Slice is the slice's namespace and name.
	Slice types.NamespacedName
	age   content.Age
}

// SourceOf returns the source for a slice. It is the zero Source for nil. A Source literal, which
// has only a name, is older than the source of any slice with a numeric resourceVersion or a
// trigger time.
func SourceOf(slice *discoveryv1.EndpointSlice) Source {
	if slice == nil {
		return Source{}
	}
	return Source{Slice: content.NameOf(slice), age: content.AgeOf(slice)}
}

// group is one group of a Cache.
type group[K comparable, E any] struct {
	sources []*held[K, E]      // in the order of namespaces and names
	keys    map[K]*entry[K, E] // the winner of each key; the field next of an entry leads to the others

	rivals []*entry[K, E] // scratch memory of decide, like claims
	claims []decide.Claim
}

// held is a source with the entries of its last Put.
type held[K comparable, E any] struct {
	from    content.Origin
	entries []entry[K, E] // in the order of Put; never moved, because group.keys and entry.next point into the list
}

// entry is an entry of a source. All entries of a key are a linked list.
type entry[K comparable, E any] struct {
	key   K
	entry E
	rank  Rank
	wins  bool // the entry is first in its list, and the list has not changed since the winner was chosen
	index int32
	held  *held[K, E]
	next  *entry[K, E] // the next entry of the key; nil for the last
}

// find returns the position of a source in sources, and whether it is there.
func (g *group[K, E]) find(slice types.NamespacedName) (int, bool) {
	return slices.BinarySearchFunc(g.sources, slice, func(h *held[K, E], slice types.NamespacedName) int {
		return content.CompareNames(h.from.Name, slice)
	})
}

// exchange replaces the entries of a source: before is removed, and after is added.
func (g *group[K, E]) exchange(before, after *held[K, E]) {
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
func (g *group[K, E]) drop(e *entry[K, E]) {
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
func (g *group[K, E]) choose(h *held[K, E]) {
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
func (g *group[K, E]) decide(first *entry[K, E]) *entry[K, E] {
	g.rivals, g.claims = g.rivals[:0], g.claims[:0]
	for e := first; e != nil; e = e.next {
		g.rivals = append(g.rivals, e)
		g.claims = append(g.claims, decide.Claim{From: &e.held.from, Target: content.Target(e.rank.Target),
			State: e.rank.State})
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
