package dedup

import (
	"iter"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup/internal/content"
)

// Cache keeps values of the caller's own type, such as xDS messages, by group and key: each key
// once, even if several slices have it. The zero value is ready for use, like NewCache(nil). Any
// number of goroutines may read while none writes. A nil Cache is empty, and Put on it panics.
type Cache[G, K comparable, E any] struct {
	rank   func(E) (conditions.State, *corev1.ObjectReference)
	groups map[G]*keyed[K, E]
}

// NewCache returns an empty Cache. rank returns the conditions and the target of a value, by which
// copies win as everywhere in this package. If it is nil, the newest slice wins: use that if the
// key identifies the object, such as a Pod's name.
func NewCache[G, K comparable, E any](rank func(E) (conditions.State, *corev1.ObjectReference)) *Cache[G, K, E] {
	return &Cache[G, K, E]{rank: rank}
}

// sameObject is the target of all values of a Cache without a rank function.
var sameObject = &corev1.ObjectReference{Name: "any"}

func (c *Cache[G, K, E]) rankOf(e E) (conditions.State, *corev1.ObjectReference) {
	if c.rank == nil {
		return conditions.State{}, sameObject
	}
	return c.rank(e)
}

// Put says which values of a group a slice has. Include values that are not ready, because they may
// win over an older copy. If a key occurs several times, its values compete like values of several
// slices, and ties go to the first one. A nil or empty sequence means that the slice has no values;
// the group is still known. from is only read.
func (c *Cache[G, K, E]) Put(group G, from *discoveryv1.EndpointSlice, entries iter.Seq2[K, E]) {
	if from == nil {
		return
	}
	g := c.open(group)
	after := &held[K, E]{from: content.OriginOf(from)}
	at, known := g.find(after.from.Name)
	if !known {
		g.sources = slices.Insert(g.sources, at, &held[K, E]{from: after.from})
	}
	before := g.sources[at]
	if entries != nil {
		after.entries = make([]entry[K, E], 0, len(before.entries))
		for k, e := range entries {
			made := entry[K, E]{key: k, entry: e, index: int32(len(after.entries)), held: after}
			made.state, made.target = c.rankOf(e)
			after.entries = append(after.entries, made)
		}
	}
	g.sources[at] = after
	g.exchange(before, after)
}

// open returns a group, which it adds if it is not there.
func (c *Cache[G, K, E]) open(name G) *keyed[K, E] {
	g := c.groups[name]
	if g == nil {
		if c.groups == nil {
			c.groups = map[G]*keyed[K, E]{}
		}
		g = &keyed[K, E]{keys: map[K]*entry[K, E]{}}
		c.groups[name] = g
	}
	return g
}

// Update replaces all values of a group, also those that do not win, for changes that no slice
// shows. change must not use the Cache.
func (c *Cache[G, K, E]) Update(group G, change func(key K, value E) E) {
	g := c.group(group)
	if change == nil {
		return
	}
	for _, h := range g.sources {
		for i := range h.entries {
			e := &h.entries[i]
			e.entry = change(e.key, e.entry)
			e.state, e.target = c.rankOf(e.entry)
			g.keys[e.key].wins = false
		}
	}
	// Winners are chosen after this loop, because a later slice may also have changed its value of
	// the same key.
	for _, h := range g.sources {
		g.choose(h)
	}
}

// Delete says that a slice has no values of a group any more. Has is false for a group without
// slices.
func (c *Cache[G, K, E]) Delete(group G, slice types.NamespacedName) {
	g := c.group(group)
	if at, known := g.find(slice); known {
		g.exchange(g.sources[at], &held[K, E]{})
		g.sources = slices.Delete(g.sources, at, at+1)
	}
	if c != nil && len(g.sources) == 0 {
		delete(c.groups, group)
	}
}

// All yields the values of a group, sorted by slice and then in the order of Put.
func (c *Cache[G, K, E]) All(group G) iter.Seq2[K, E] {
	return func(yield func(K, E) bool) {
		for _, h := range c.group(group).sources {
			for i := range h.entries {
				if e := &h.entries[i]; e.wins && !yield(e.key, e.entry) {
					return
				}
			}
		}
	}
}

// Get returns the value of a key.
func (c *Cache[G, K, E]) Get(group G, key K) (value E, ok bool) {
	if winner := c.group(group).keys[key]; winner != nil {
		return winner.entry, true
	}
	return value, false
}

// Has reports whether a group is known, even if it has no values.
func (c *Cache[G, K, E]) Has(group G) bool { return c != nil && c.groups[group] != nil }

// group returns a group, or an empty one that the Cache does not keep.
func (c *Cache[G, K, E]) group(name G) *keyed[K, E] {
	if c != nil && c.groups[name] != nil {
		return c.groups[name]
	}
	return &keyed[K, E]{}
}
