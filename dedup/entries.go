package dedup

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/decide"
)

// Rank is what the two rounds must know of an entry.
type Rank struct {
	// Target is what the entry stands for. Of entries with one target and one key the one in the newest source wins; an entry
	// whose Target has neither UID nor Name stands for itself.
	Target Target
	// State chooses between the winners: not terminating, then ready, then serving.
	State conditions.State
}

// RankOf is the rank of an entry that was made of an endpoint of the API; the zero Rank for nil.
func RankOf(e *discoveryv1.Endpoint) Rank {
	if e == nil {
		return Rank{}
	}
	return Rank{Target: Target(content.TargetOf(e)), State: conditions.Of(e.Conditions)}
}

// Source is a slice that holds entries. Its name is its identity; how new it is counts in the first round.
type Source struct {
	// Slice is the slice's namespace and name.
	Slice types.NamespacedName
	age   content.Age
}

// SourceOf is the source that a slice is; the zero Source for nil. A literal with a name alone is older than any source that a
// slice with a resourceVersion or a trigger time is.
func SourceOf(slice *discoveryv1.EndpointSlice) Source {
	if slice == nil {
		return Source{}
	}
	return Source{Slice: content.NameOf(slice), age: content.AgeOf(slice)}
}

// group is one group of a Cache.
type group[K comparable, E any] struct {
	sources []*held[K, E]      // by namespace and name
	keys    map[K]*entry[K, E] // the winner of each key, whose next leads to the other entries of the key

	rivals []*entry[K, E] // memory of decide, as all that follows
	claims []decide.Claim
}

// held is a source and what it holds since its last Put.
type held[K comparable, E any] struct {
	from    content.Origin
	entries []entry[K, E] // in the order of Put
}

// entry is a claim in a Cache.
type entry[K comparable, E any] struct {
	key   K
	entry E
	rank  Rank
	wins  bool // set for the first entry of a key if nothing of the key has changed since it was chosen
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

// exchange replaces the entries that a source held before by those that it holds now.
func (g *group[K, E]) exchange(before, now *held[K, E]) {
	for i := range now.entries {
		e := &now.entries[i]
		if e.next = g.keys[e.key]; e.next != nil {
			e.next.wins = false
		}
		g.keys[e.key] = e
	}
	for i := range before.entries {
		g.drop(&before.entries[len(before.entries)-1-i]) // the last one is the nearest to the first of its key
	}
	g.choose(now)
	g.choose(before)
}

// drop removes an entry from its key.
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

// choose decides the keys of a source of which something changed, and puts the winner of each first.
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

// decide returns the winner of a key, and makes it the first one.
func (g *group[K, E]) decide(first *entry[K, E]) *entry[K, E] {
	g.rivals, g.claims = g.rivals[:0], g.claims[:0]
	for e := first; e != nil; e = e.next {
		g.rivals = append(g.rivals, e)
		g.claims = append(g.claims, decide.Claim{From: &e.held.from, Target: content.Target(e.rank.Target), State: e.rank.State})
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
