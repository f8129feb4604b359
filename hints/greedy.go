package hints

import (
	"cmp"
	"container/heap"
	"slices"
)

// fewest returns a number of slices below which no set can do: that of the slices which give up most, each taken alone.
func (c *chooser) fewest() int {
	gains := make([]int, 0, len(c.able))
	for _, i := range c.able {
		gains = append(gains, c.gain[i])
	}
	slices.SortFunc(gains, func(a, b int) int { return cmp.Compare(b, a) })
	sum := 0
	for size, gain := range gains {
		if sum += gain; sum >= c.excess {
			return size + 1
		}
	}
	return len(gains)
}

// greedy opens the slice that gives up most until that is enough, then closes those that the later ones made
// superfluous. A slice gives up less and less as others are opened, so its gain is computed again only when it is about
// to be taken; it is put back at most as often as it has endpoints.
func (c *chooser) greedy() []int {
	left := slices.Clone(c.want)
	excess := c.excess
	queue := &byGain{gain: slices.Clone(c.gain), tally: c.survey.tallies}
	for position, i := range c.able {
		queue.items = append(queue.items, gainer{slice: i, position: position})
	}
	heap.Init(queue)
	var taken []gainer
	for excess > 0 {
		top := &queue.items[0]
		if gain := c.gives(top.slice, left); gain < queue.gain[top.slice] {
			queue.gain[top.slice] = gain
			heap.Fix(queue, 0)
			continue
		}
		next := heap.Pop(queue).(gainer)
		taken = append(taken, next)
		excess -= queue.gain[next.slice]
		for _, e := range c.survey.of(next.slice) {
			left[e.zone] -= min(e.count, left[e.zone])
		}
	}
	return c.close(taken)
}

// close drops slices that are not needed, the last taken last, and returns the others by name.
func (c *chooser) close(taken []gainer) []int {
	held := slices.Clone(c.survey.frozen)
	for _, t := range taken {
		c.shift(held, t.slice, -1)
	}
	kept := taken[:0:0]
	for _, t := range taken {
		c.shift(held, t.slice, +1)
		if excess(held, c.goal.low, c.survey.ready) > 0 {
			c.shift(held, t.slice, -1)
			kept = append(kept, t)
		}
	}
	slices.SortFunc(kept, func(a, b gainer) int { return cmp.Compare(a.position, b.position) })
	opened := make([]int, len(kept))
	for i, t := range kept {
		opened[i] = t.slice
	}
	return opened
}

// shift adds what the slice holds to held, times sign.
func (c *chooser) shift(held []int, slice, sign int) {
	for _, e := range c.survey.of(slice) {
		held[e.zone] += sign * e.count
	}
}

// gainer is a slice and its place among all by name.
type gainer struct{ slice, position int }

// byGain is a heap: the largest gain first, then most endpoints that could go home, then the first name.
type byGain struct {
	items []gainer
	gain  []int   // by slice
	tally []tally // by slice
}

func (q *byGain) Len() int { return len(q.items) }

func (q *byGain) Less(a, b int) bool {
	x, y := q.items[a], q.items[b]
	return cmp.Or(cmp.Compare(q.gain[y.slice], q.gain[x.slice]), cmp.Compare(q.tally[y.slice].away, q.tally[x.slice].away),
		cmp.Compare(x.position, y.position)) < 0
}

func (q *byGain) Swap(a, b int) { q.items[a], q.items[b] = q.items[b], q.items[a] }

func (q *byGain) Push(x any) { q.items = append(q.items, x.(gainer)) }

func (q *byGain) Pop() any {
	last := q.items[len(q.items)-1]
	q.items = q.items[:len(q.items)-1]
	return last
}
