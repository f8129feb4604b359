package dedup

import (
	"iter"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/content"
)

// Cache holds state: entries of the reader's own type E under keys K, which come from sources such as
// EndpointSlices. It shows each key once. If several sources have a key, the rule of the package comment
// decides which entry wins. Groups G, such as Services or host names, do not affect each other. The zero
// value is ready for use, like NewCache(nil).
//
// Any number of goroutines may call All, Get, Has and Len while none calls Put, Update or Delete. Use a
// sync.RWMutex for this.
//
// Put endpoints that are not ready as well, and skip them when you read. Otherwise nothing contradicts a
// stale slice that says that an endpoint is ready, and its entry is shown.
type Cache[G, K comparable, E any] struct {
	rank   func(E) Rank
	groups map[G]*group[K, E]
}

// NewCache returns an empty cache. rank must say the same of an entry whenever it is asked, and is asked once for each entry
// of a Put or Update.
//
// With RankOf both rounds decide, which needs the targetRef: if another Pod has the address of an old one, and is not
// ready yet while a stale slice still says that the old Pod is, the ready one is shown. nil means that all entries of a key stand
// for one thing, so that the newest source wins, whatever its state: right where entries do not say what they stand for, or
// where the key does, such as a Pod's name.
func NewCache[G, K comparable, E any](rank func(E) Rank) *Cache[G, K, E] {
	return &Cache[G, K, E]{rank: rank}
}

// rankOf is the rank of an entry. Without a rank all entries stand for one thing.
func (c *Cache[G, K, E]) rankOf(e E) Rank {
	if c.rank == nil {
		return Rank{Target: Target{Name: "any"}}
	}
	return c.rank(e)
}

// Put says what a source now holds in a group, in place of what it held before. A key may come several times: the two rounds choose
// between its entries, too, and of those that nothing tells apart the first one counts. nil and an empty sequence mean that
// the source holds nothing, which is not the same as Delete: the group is known. It costs by the source's own entries,
// before and now, and for each of these by the number of sources that hold its key.
func (c *Cache[G, K, E]) Put(name G, from Source, entries iter.Seq2[K, E]) {
	g := c.groups[name]
	if g == nil {
		if c.groups == nil {
			c.groups = map[G]*group[K, E]{}
		}
		g = &group[K, E]{keys: map[K]*entry[K, E]{}}
		c.groups[name] = g
	}
	after := &held[K, E]{from: content.Origin{Name: from.Slice, Age: from.age}}
	at, known := g.find(from.Slice)
	if !known {
		g.sources = slices.Insert(g.sources, at, &held[K, E]{from: after.from})
	}
	before := g.sources[at]
	if entries != nil {
		after.entries = make([]entry[K, E], 0, len(before.entries))
		for k, e := range entries {
			made := entry[K, E]{key: k, entry: e, rank: c.rankOf(e), index: int32(len(after.entries)), held: after}
			after.entries = append(after.entries, made)
		}
	}
	g.sources[at] = after
	g.exchange(before, after)
}

// Update changes the entries of a group without a Put, for what a reader learns elsewhere, such as from a Pod or a policy.
// change is called once for each entry, and returns what takes its place: for the entries that are shown and for those that
// others hide, so that an entry that is shown later has changed, too. The order is that of sources, then that of Put. If the
// rank of an entry changes, the winner of its key is chosen again. change must not use the cache.
//
// An entry that is a pointer can be changed in place instead, by who reaches it: All and Get show no hidden entries.
func (c *Cache[G, K, E]) Update(name G, change func(key K, entry E) E) {
	g := c.group(name)
	for _, h := range g.sources {
		for i := range h.entries {
			e := &h.entries[i]
			e.entry = change(e.key, e.entry)
			before := e.rank
			if e.rank = c.rankOf(e.entry); e.rank != before {
				g.keys[e.key].wins = false
			}
		}
	}
	for _, h := range g.sources {
		g.choose(h)
	}
}

// Delete says that a source is gone from a group. It needs the slice's namespace and name, nothing else; what is not there is
// ignored.
func (c *Cache[G, K, E]) Delete(name G, slice types.NamespacedName) {
	g := c.group(name)
	if at, known := g.find(slice); known {
		g.exchange(g.sources[at], &held[K, E]{})
		g.sources = slices.Delete(g.sources, at, at+1)
	}
	if len(g.sources) == 0 {
		delete(c.groups, name)
	}
}

// All yields the keys of a group, each once, with the entries that win: in the order of the sources' namespaces and
// names, then as Put got them. It must not be interrupted by a Put, Update or Delete.
func (c *Cache[G, K, E]) All(name G) iter.Seq2[K, E] {
	return func(yield func(K, E) bool) {
		for _, h := range c.group(name).sources {
			for i := range h.entries {
				if e := &h.entries[i]; e.wins && !yield(e.key, e.entry) {
					return
				}
			}
		}
	}
}

// Get returns the entry that All yields for a key, and whether there is one.
func (c *Cache[G, K, E]) Get(name G, key K) (E, bool) {
	if winner := c.group(name).keys[key]; winner != nil {
		return winner.entry, true
	}
	return *new(E), false
}

// Has reports whether the group has any source, with entries or without.
func (c *Cache[G, K, E]) Has(name G) bool { return c.groups[name] != nil }

// Len returns the number of keys in a group; 0 if there is none.
func (c *Cache[G, K, E]) Len(name G) int { return len(c.group(name).keys) }

// group returns a group, an empty one if there is none.
func (c *Cache[G, K, E]) group(name G) *group[K, E] {
	if g := c.groups[name]; g != nil {
		return g
	}
	return &group[K, E]{}
}
