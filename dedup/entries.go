package dedup

import (
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/decide"
	"github.com/slicewright/slicewright/dedup/internal/view"
)

// group is the entries of one group of a Cache.
type group[K comparable, E any] struct {
	sources []*held[K, E] // by namespace and name
	keys    map[K]rivals[K, E]
	claims  []decide.Claim // memory for the next decision
}

// held is a source and what it holds since its last Put.
type held[K comparable, E any] struct {
	source  Source
	entries []entry[K, E] // in the order of Put
}

// entry is a claim in a Cache.
type entry[K comparable, E any] struct {
	key       K
	entry     E
	target    Target
	usability decide.Usability
	wins      bool
	index     int32
	held      *held[K, E]
}

// rivals is the entries with one key: the winner, and, if they are several, all of them.
type rivals[K comparable, E any] struct {
	winner *entry[K, E]
	all    []*entry[K, E]
}

func newGroup[K comparable, E any]() *group[K, E] { return &group[K, E]{keys: map[K]rivals[K, E]{}} }

// find returns the place of a source in the order of sources, and whether the source is there.
func (g *group[K, E]) find(slice types.NamespacedName) (int, bool) {
	return slices.BinarySearchFunc(g.sources, slice, func(h *held[K, E], slice types.NamespacedName) int {
		return view.CompareNames(h.source.Slice, slice)
	})
}

// exchange puts the entries that a source holds now in the place of those that it held before.
func (g *group[K, E]) exchange(before, now *held[K, E]) {
	for i := range before.entries {
		e := &before.entries[i]
		if r := g.keys[e.key]; r.all != nil {
			e.wins = false
			at := slices.Index(r.all, e)
			g.keys[e.key] = rivals[K, E]{all: slices.Delete(r.all, at, at+1)}
		}
	}
	for i := range now.entries {
		g.add(&now.entries[i], before)
	}
	for i := range before.entries {
		e := &before.entries[i]
		switch r, taken := g.keys[e.key]; {
		case !taken:
		case len(r.all) > 0 && r.winner == nil:
			g.choose(e.key, r)
		case r.winner == nil || r.winner == e:
			delete(g.keys, e.key)
		}
	}
}

// add takes an entry in, in the place of an entry of before that has the key alone.
func (g *group[K, E]) add(e *entry[K, E], before *held[K, E]) {
	r := g.keys[e.key]
	if len(r.all) == 0 && (r.winner == nil || r.winner.held == before) {
		e.wins = true
		g.keys[e.key] = rivals[K, E]{winner: e}
		return
	}
	if r.all == nil {
		r.all = []*entry[K, E]{r.winner}
	}
	r.all = append(r.all, e)
	g.choose(e.key, r)
}

// choose finds the winner of a key among all of its entries, one or more.
func (g *group[K, E]) choose(key K, r rivals[K, E]) {
	for _, e := range r.all {
		e.wins = false
	}
	if r.winner = r.all[0]; len(r.all) == 1 {
		r.all = nil
	} else {
		r.winner = r.all[g.decide(r.all)]
	}
	r.winner.wins = true
	g.keys[key] = r
}

// decide returns the index of the winner.
func (g *group[K, E]) decide(all []*entry[K, E]) int32 {
	g.claims = g.claims[:0]
	for _, e := range all {
		g.claims = append(g.claims, decide.Claim{Usability: e.usability})
	}
	content.RankSources(g.claims,
		func(i int) content.Age { return all[i].held.source.age },
		func(i, j int) int { return view.CompareNames(all[i].held.source.Slice, all[j].held.source.Slice) })
	content.Rank(g.claims,
		func(i int) content.Target { return content.Target(all[i].target) },
		func(i, j int) int { return int(all[i].index - all[j].index) })
	return decide.Winner(g.claims)
}

// all yields the winners in the order of sources.
func (g *group[K, E]) all(yield func(K, E) bool) {
	for _, h := range g.sources {
		for i := range h.entries {
			if e := &h.entries[i]; e.wins && !yield(e.key, e.entry) {
				return
			}
		}
	}
}
