package allocate

import (
	"cmp"
	"container/heap"
	"slices"
)

// Share is a number of endpoints hinted to one zone.
type Share struct{ Zone, Count int }

// Held is the endpoints of a slice that need not be written: a share for each zone, each zone once. Away is how many of them are
// hinted to another zone than their own.
type Held struct {
	Shares []Share
	Away   int
}

// Excess returns how many endpoints more than n are needed to fill every zone up to its minimum, if each zone keeps those that it
// holds. It is zero or less if n are enough.
func Excess(held, minimums []int, n int) int {
	over := -n
	for z, m := range minimums {
		over += max(held[z], m)
	}
	return over
}

// Open returns the slices to open so that there is no excess, as sorted positions in the list; nil if there is none anyway. total
// is how many endpoints all slices hold together, by zone. Slices that help as much as is still needed help equally. Ties go to the
// slice that has more endpoints away, then to the first.
func Open(list []Held, total, minimums []int, n int) []int {
	excess := Excess(total, minimums, n)
	if excess <= 0 {
		return nil
	}
	return closeSpare(list, newGains(list, total, minimums).until(excess), total, minimums, n)
}

// gains are how many endpoints of the surplus each slice can give up: the endpoints of a zone above its minimum. They fall while
// slices are opened, and each look at one that falls is paid for by an endpoint.
type gains struct {
	list    []Held
	surplus []int
	of      []int      // by slice
	queued  []int      // by slice: what of was when the queue last saw it
	queue   *queue     // the slices that are not opened, by queued
	holders [][]holder // by zone: the slices that hold endpoints there, most first
}

// holder is a slice with endpoints in a zone.
type holder struct{ slice, count int }

func newGains(list []Held, total, minimums []int) *gains {
	g := &gains{list: list, surplus: make([]int, len(total)), of: make([]int, len(list)), holders: make([][]holder, len(total))}
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

// ties compares slices that help equally.
func (g *gains) ties(a, b int) int { return cmp.Or(g.list[b].Away-g.list[a].Away, a-b) }

// until opens slices until they give up the excess, which is positive.
func (g *gains) until(excess int) (opened []int) {
	for {
		next := g.first()
		if g.of[next] >= excess {
			return append(opened, g.enough(excess))
		}
		excess -= g.of[next]
		opened = append(opened, next)
		g.take(next)
	}
}

// first returns the slice that gives up most.
func (g *gains) first() int {
	first := g.queue.list[0]
	for g.queued[first] != g.of[first] {
		g.queued[first] = g.of[first]
		heap.Fix(g.queue, 0)
		first = g.queue.list[0]
	}
	return first
}

// enough returns the first of the slices that give up all that is needed. There is one.
func (g *gains) enough(needed int) int {
	all := slices.DeleteFunc(slices.Clone(g.queue.list), func(i int) bool { return g.of[i] < needed })
	return slices.MinFunc(all, g.ties)
}

// take opens the first slice: what it gives up is no surplus any more.
func (g *gains) take(i int) {
	heap.Pop(g.queue)
	for _, s := range g.list[i].Shares {
		before, after := g.surplus[s.Zone], max(0, g.surplus[s.Zone]-s.Count)
		g.surplus[s.Zone] = after
		for _, h := range g.holders[s.Zone] {
			lost := min(h.count, before) - after
			if lost <= 0 {
				break
			}
			g.of[h.slice] -= lost
		}
	}
}

// closeSpare closes slices that are not needed, the first opened first, and returns the others. held is how many endpoints all
// slices hold, by zone.
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
