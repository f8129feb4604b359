package dedup

import (
	"cmp"

	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/persist"
)

// group is the entries of one group of a Cache.
type group[K comparable, E any] struct {
	sources persist.Tree[*seat[K, E]]
	keys    map[K]holders[K, E]
}

// seat is the place of a source in the order of namespaces and names.
type seat[K comparable, E any] struct{ *holder[K, E] }

func compareSeats[K comparable, E any](a, b *seat[K, E]) int {
	return compareNames(a.source.Slice, b.source.Slice)
}

// holder is a source and what it holds. A Put makes a new one.
type holder[K comparable, E any] struct {
	source  Source
	entries []entry[K, E] // in the order of Put
}

// entry is a claim in a Cache.
type entry[K comparable, E any] struct {
	key    K
	entry  E
	stands Target
	merit  merit
	wins   bool
	index  int32
	holder *holder[K, E]
}

func (e *entry[K, E]) target() Target { return e.stands }
func (e *entry[K, E]) use() merit     { return e.merit }
func (e *entry[K, E]) compareAge(f *entry[K, E]) int {
	return e.holder.source.age.compare(f.holder.source.age)
}
func (e *entry[K, E]) compareFields(f *entry[K, E]) int { return cmp.Compare(e.index, f.index) }

func (e *entry[K, E]) compareSlice(f *entry[K, E]) int {
	return compareNames(e.holder.source.Slice, f.holder.source.Slice)
}

// holders is who holds one key: the winner, and all if they are several.
type holders[K comparable, E any] struct {
	winner  *entry[K, E]
	contest *contest[*entry[K, E]]
}

func newGroup[K comparable, E any]() *group[K, E] { return &group[K, E]{keys: map[K]holders[K, E]{}} }

// seat returns a source's place, and whether it has one.
func (g *group[K, E]) seat(slice types.NamespacedName) (*seat[K, E], bool) {
	s, found := g.sources.First(func(s *seat[K, E]) bool { return compareNames(s.source.Slice, slice) >= 0 })
	return s, found && s.source.Slice == slice
}

// exchange puts what a source holds now in the place of what it held before.
func (g *group[K, E]) exchange(before, now *holder[K, E]) {
	g.leaveContests(before)
	for i := range now.entries {
		g.add(&now.entries[i], before)
	}
	g.leave(before)
}

// leaveContests takes a source's entries out of contests. A key that it holds alone stays, for add to exchange.
func (g *group[K, E]) leaveContests(before *holder[K, E]) {
	for i := range before.entries {
		e := &before.entries[i]
		if h := g.keys[e.key]; h.contest != nil {
			g.show(e.key, h, h.contest.remove(e))
		}
	}
}

// leave forgets the keys that a source held alone and does not hold any more.
func (g *group[K, E]) leave(before *holder[K, E]) {
	for i := range before.entries {
		if e := &before.entries[i]; g.keys[e.key].winner == e {
			delete(g.keys, e.key)
		}
	}
}

// add takes an entry in. An entry of the source's last Put that has the key alone makes room.
func (g *group[K, E]) add(e *entry[K, E], before *holder[K, E]) {
	h := g.keys[e.key]
	if h.winner == nil || h.contest == nil && h.winner.holder == before {
		e.wins = true
		g.keys[e.key] = holders[K, E]{winner: e}
		return
	}
	var c contest[*entry[K, E]]
	if h.contest != nil {
		c = *h.contest
	} else {
		c = c.add(h.winner)
	}
	g.show(e.key, h, c.add(e))
}

// show puts the holders of a key in force.
func (g *group[K, E]) show(key K, before holders[K, E], c contest[*entry[K, E]]) {
	before.winner.wins = false
	now := holders[K, E]{winner: c.winner()}
	now.winner.wins = true
	if !c.claims.Single() {
		now.contest = &c
	}
	g.keys[key] = now
}

// all yields the winners in the order of sources.
func (g *group[K, E]) all(yield func(K, E) bool) {
	for s := range g.sources.All {
		for i := range s.entries {
			if e := &s.entries[i]; e.wins && !yield(e.key, e.entry) {
				return
			}
		}
	}
}
