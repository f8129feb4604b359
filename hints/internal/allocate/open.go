package allocate

import (
	"cmp"
	"container/heap"
	"slices"
)

// Share is a number of endpoints that have a hint for one zone.
type Share struct{ Zone, Count int }

// Held counts the endpoints of one clean slice by the zone of their hint, with one share for each
// zone. Away is the number of endpoints whose hint is for another zone than their own.
type Held struct {
	Shares []Share
	Away   int
}

// Excess returns how many endpoints are needed beyond n, if each zone keeps the endpoints that it
// holds and is filled up to its minimum. The result is zero or negative if n endpoints are enough.
func Excess(held, minimums []int, n int) int {
	over := -n
	for z, m := range minimums {
		over += max(held[z], m)
	}
	return over
}

// Open returns the slices to rewrite so that there is no excess, as sorted positions in the list,
// or nil if there is no excess anyway. total is the number of endpoints in all slices, by the zone
// of their hint.
//
// Slices are chosen one by one. The slice that gives up most endpoints is chosen first. Slices that
// give up at least the number that is still needed are equally good. Ties go to the slice with the
// higher Away, then to the first one.
func Open(list []Held, total, minimums []int, n int) []int {
	excess := Excess(total, minimums, n)
	if excess <= 0 {
		return nil
	}
	return closeSpare(list, newGains(list, total, minimums).until(excess), total, minimums, n)
}

// gains has the gain of each slice: the number of endpoints of the surplus that the slice can give
// up. The surplus of a zone is the number of its endpoints above its minimum. Gains fall while
// slices are chosen. The method first looks again at a slice only if the gain of the slice has
// fallen by at least one endpoint. So there are no more such looks than endpoints.
type gains struct {
	list    []Held
	surplus []int
	of      []int      // by slice
	queued  []int      // by slice: its gain when its place in the queue was last computed
	queue   *queue     // the slices that are not chosen, sorted by queued, the highest first
	holders [][]holder // by zone: the slices with endpoints in it, sorted by their number, the highest first
}

// holder is a slice with endpoints in a zone, and their number.
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
			// One slice is enough now. The method ties decides among all slices that give up
			// enough.
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

// enough returns the first slice, in the order of the method ties, that gives up at least the
// needed number of endpoints. The caller knows that there is one.
func (g *gains) enough(needed int) int {
	all := slices.DeleteFunc(slices.Clone(g.queue.list), func(i int) bool { return g.of[i] < needed })
	return slices.MinFunc(all, g.ties)
}

// take removes slice i, which is the first one, from the queue. It subtracts the endpoints that the
// slice gives up from the surplus.
func (g *gains) take(i int) {
	heap.Pop(g.queue)
	for _, s := range g.list[i].Shares {
		before, after := g.surplus[s.Zone], max(0, g.surplus[s.Zone]-s.Count)
		g.surplus[s.Zone] = after
		for _, h := range g.holders[s.Zone] {
			lost := min(h.count, before) - after
			if lost <= 0 {
				break // the gains of slices with fewer endpoints in the zone do not fall either
			}
			g.of[h.slice] -= lost
		}
	}
}

// closeSpare returns the chosen slices (opened) that are needed, sorted. A slice that was chosen
// early may not be needed any more because of slices that were chosen later. held is the number of
// endpoints in all slices, by the zone of their hint.
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
