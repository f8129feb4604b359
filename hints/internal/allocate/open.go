package allocate

import (
	"cmp"
	"container/heap"
	"slices"
)

// Share is a number of endpoints that have a hint for one zone.
type Share struct{ Zone, Count int }

// Held has the endpoints of one clean slice: a share for each zone, each zone once. Away is how
// many of them have a hint for another zone than their own.
type Held struct {
	Shares []Share
	Away   int
}

// Excess returns by how much the endpoints that are needed exceed n, if each zone keeps the
// endpoints that it holds and is filled up to its minimum. It is zero or negative if n endpoints
// are enough.
func Excess(held, minimums []int, n int) int {
	over := -n
	for z, m := range minimums {
		over += max(held[z], m)
	}
	return over
}

// Open returns the slices to rewrite so that there is no excess, as sorted positions in the list,
// or nil if there is no excess anyway. total is how many endpoints all slices hold together, by
// zone.
//
// Slices are chosen one by one, the one that gives up most endpoints first. Slices that give up at
// least what is still needed are equally good. Ties go to the slice that has more endpoints away,
// then to the first.
func Open(list []Held, total, minimums []int, n int) []int {
	excess := Excess(total, minimums, n)
	if excess <= 0 {
		return nil
	}
	return closeSpare(list, newGains(list, total, minimums).until(excess), total, minimums, n)
}

// gains are how many endpoints of the surplus each slice can give up. The surplus of a zone is its
// endpoints above its minimum. Gains fall while slices are chosen. Each time the queue looks at a
// slice whose gain has fallen, at least one endpoint fewer can be given up, so there are at most
// the same number of looks as endpoints.
type gains struct {
	list    []Held
	surplus []int
	of      []int      // by slice
	queued  []int      // by slice: its gain when the queue last looked at it
	queue   *queue     // the slices that are not chosen, by queued
	holders [][]holder // by zone: the slices that hold endpoints there, most first
}

// holder is a slice with endpoints in a zone.
type holder struct{ slice, count int }

func newGains(list []Held, total, minimums []int) *gains {
	g := &gains{list: list, surplus: make([]int, len(total)), of: make([]int, len(list))}
	g.holders = make([][]holder, len(total))
	for z := range g.surplus {
		g.surplus[z] = max(0, total[z]-minimums[z])
	}
	for i := range list {
		for _, s := range list[i].Shares {
			g.of[i] += min(s.Count, g.surplus[s.Zone])
			g.holders[s.Zone] = append(g.holders[s.Zone], holder{i, s.Count})
		}
	}
	for _, holders := range g.holders {
		slices.SortFunc(holders, func(a, b holder) int { return b.count - a.count })
	}
	g.queued = slices.Clone(g.of)
	g.queue = newQueue(numbers(len(list)), func(a, b int) int { return cmp.Or(g.queued[b]-g.queued[a], g.ties(a, b)) })
	return g
}

// ties orders slices that give up the same number of endpoints.
func (g *gains) ties(a, b int) int { return cmp.Or(g.list[b].Away-g.list[a].Away, a-b) }

// until returns slices that together give up the excess, which is positive.
func (g *gains) until(excess int) (opened []int) {
	for {
		next := g.first()
		if g.of[next] >= excess {
			// Any slice that gives up enough will do here, so ties decide among all of these.
			return append(opened, g.enough(excess))
		}
		excess -= g.of[next]
		opened = append(opened, next)
		g.take(next)
	}
}

// first returns the slice that gives up most endpoints.
func (g *gains) first() int {
	first := g.queue.list[0]
	for g.queued[first] != g.of[first] { // its gain has fallen since it was queued
		g.queued[first] = g.of[first]
		heap.Fix(g.queue, 0)
		first = g.queue.list[0]
	}
	return first
}

// enough returns the best slice, by ties, of the slices that give up at least the needed number.
// There is such a slice.
func (g *gains) enough(needed int) int {
	all := slices.DeleteFunc(slices.Clone(g.queue.list), func(i int) bool { return g.of[i] < needed })
	return slices.MinFunc(all, g.ties)
}

// take removes the first slice from the queue, and what it gives up from the surplus.
func (g *gains) take(i int) {
	heap.Pop(g.queue)
	for _, s := range g.list[i].Shares {
		before, after := g.surplus[s.Zone], max(0, g.surplus[s.Zone]-s.Count)
		g.surplus[s.Zone] = after
		for _, h := range g.holders[s.Zone] {
			lost := min(h.count, before) - after
			if lost <= 0 {
				break // slices with fewer endpoints in the zone lose none either
			}
			g.of[h.slice] -= lost
		}
	}
}

// closeSpare returns the chosen slices that are needed, sorted. A slice that was chosen early can
// be spare once later ones are chosen. held is how many endpoints all slices hold, by zone.
func closeSpare(list []Held, opened, held, minimums []int, n int) []int {
	held = slices.Clone(held)
	for _, i := range opened {
		for _, s := range list[i].Shares {
			held[s.Zone] -= s.Count
		}
	}
	excess := Excess(held, minimums, n)
	var needed []int
	for _, i := range opened {
		with := excess
		for _, s := range list[i].Shares {
			with += max(held[s.Zone]+s.Count, minimums[s.Zone]) - max(held[s.Zone], minimums[s.Zone])
		}
		if with > 0 {
			needed = append(needed, i)
			continue
		}
		excess = with
		for _, s := range list[i].Shares {
			held[s.Zone] += s.Count
		}
	}
	slices.Sort(needed)
	return needed
}
