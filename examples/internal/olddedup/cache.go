package dedup

import (
	"iter"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/content"
)

// Cache holds state: entries of the reader's own type E under keys K, which come from sources such
// as EndpointSlices. It shows each key once. If several sources have the same key, the rule of the
// package comment decides which entry wins. Groups G, such as Services or host names, do not affect
// each other. The zero value is ready for use, like NewCache(nil).
//
// Any number of goroutines may call All, Get, Has and Len while none calls Put, Update or Delete.
// Use a sync.RWMutex for this.
//
// Also call Put for endpoints that are not ready, and skip them when reading. Otherwise an outdated
// slice that says ready would win, because no newer entry contradicts it.
type Cache[G, K comparable, E any] struct {
	rank   func(E) Rank
	groups map[G]*group[K, E]
}

// NewCache returns an empty cache. rank returns what decides between entries of one key. rank is
// called once for each entry of a Put or Update. The result must depend on the entry alone.
//
//   - RankOf chooses as the package comment says. For this, entries need their targetRef. If two
//     Pods have one address, the ready one is shown, even if its slice is outdated and the other
//     Pod will be ready soon.
//   - If rank is nil, all entries of a key stand for one object, so the newest source wins,
//     whatever the state. Use nil if the key identifies the object, such as a Pod's name, or if
//     entries do not have a targetRef.
func NewCache[G, K comparable, E any](rank func(E) Rank) *Cache[G, K, E] {
	return &Cache[G, K, E]{rank: rank}
}

// rankOf returns the rank of an entry. Without a rank function all entries have the same target.
func (c *Cache[G, K, E]) rankOf(e E) Rank {
	if c.rank == nil {
		return Rank{Target: Target{Name: "any"}}
	}
	return c.rank(e)
}

// Put replaces the entries that a source has in a group. A key may occur several times in the
// sequence: all entries of the key then compete, like those of other sources, and ties go to the
// first one.
//
// A nil or empty sequence means that the source has no entries. That is not the same as Delete: Has
// still returns true for the group.
//
// The time is proportional to the source's old and new entries, times the number of sources with
// the same key.
//
// Put panics on a nil Cache. For all other methods a nil Cache is empty.
func (c *Cache[G, K, E]) Put(name G, from Source, entries iter.Seq2[K, E]) {
	if c == nil {
		panic("dedup: the Cache is nil: make one with NewCache")
	}
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

// Update changes the entries of a group without a Put. Use it for what a reader learns elsewhere,
// for example from a Pod or a policy. change is called once for each entry, and returns its
// replacement. The order of the calls is that of the namespaces and names of the sources. Entries
// of one source are in the order in which Put got them. Entries that lost are changed as well,
// because they may be shown later. If the rank of an entry changes, the winner of its key is chosen
// again. change must not use the cache. If change is nil, nothing changes.
//
// If entries are pointers, a reader that keeps all of them can change them in place instead. All
// and Get are not enough for this, because they do not return entries that lost.
func (c *Cache[G, K, E]) Update(name G, change func(key K, value E) E) {
	g := c.group(name)
	if change == nil {
		return
	}
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
	// Winners are chosen after this loop, because a later source may also have changed its entry of
	// the same key.
	for _, h := range g.sources {
		g.choose(h)
	}
}

// Delete removes a source from a group. It needs only the slice's namespace and name. A source that
// is not in the group is ignored.
func (c *Cache[G, K, E]) Delete(name G, slice types.NamespacedName) {
	g := c.group(name)
	if at, known := g.find(slice); known {
		g.exchange(g.sources[at], &held[K, E]{})
		g.sources = slices.Delete(g.sources, at, at+1)
	}
	if c != nil && len(g.sources) == 0 {
		delete(c.groups, name)
	}
}

// All yields the keys of a group, each once, with the winning entries. They are sorted by the
// namespace and name of their source. Entries of one source are in the order in which Put got them.
// Do not call Put, Update or Delete during the iteration.
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

// Get returns the winning entry of a key, and whether there is one.
func (c *Cache[G, K, E]) Get(name G, key K) (E, bool) {
	if winner := c.group(name).keys[key]; winner != nil {
		return winner.entry, true
	}
	return *new(E), false
}

// Has reports whether the group has a source, with entries or without.
func (c *Cache[G, K, E]) Has(name G) bool { return c != nil && c.groups[name] != nil }

// Len returns the number of keys in a group. It is 0 for an unknown group.
func (c *Cache[G, K, E]) Len(name G) int { return len(c.group(name).keys) }

// group returns a group. For an unknown group it returns an empty one, which the cache does not
// keep.
func (c *Cache[G, K, E]) group(name G) *group[K, E] {
	if c != nil && c.groups[name] != nil {
		return c.groups[name]
	}
	return &group[K, E]{}
}
