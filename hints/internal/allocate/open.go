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
func Open(list []Held, total, minimums []int, n int) (needed []int) {
	if Excess(total, minimums, n) <= 0 {
		return nil
	}
	opened, _ := open(list, total, minimums, n)
	held := slices.Clone(total)
	count := func(i, sign int) {
		for _, s := range list[i].Shares {
			held[s.Zone] += sign * s.Count
		}
	}
	for _, i := range opened {
		count(i, -1)
	}
	for _, i := range opened { // the slices that the later ones made superfluous are closed again
		if count(i, +1); Excess(held, minimums, n) > 0 {
			count(i, -1)
			needed = append(needed, i)
		}
	}
	slices.Sort(needed)
	return needed
}

// open opens slices until there is no excess, each time the one that helps most. It looks at a slice again only where that is first in
// the queue, because what a slice helps only falls: each look that finds less is paid for by an endpoint. looks are comparisons.
func open(list []Held, total, minimums []int, n int) (opened []int, looks int) {
	excess, surplus := Excess(total, minimums, n), make([]int, len(total))
	for z := range surplus {
		surplus[z] = max(0, total[z]-minimums[z])
	}
	help := func(i int) (sum int) { // how much of the excess goes if the slice gives up what is surplus
		for _, s := range list[i].Shares {
			sum += min(s.Count, surplus[s.Zone])
		}
		return min(sum, excess)
	}
	helped := make([]int, len(list))
	for i := range list {
		helped[i] = help(i)
	}
	q := newQueue(numbers(len(list)), func(a, b int) int { return cmp.Or(helped[b]-helped[a], list[b].Away-list[a].Away, a-b) })
	for excess > 0 {
		i := q.list[0]
		if now := help(i); now < helped[i] {
			helped[i] = now
			q.sink()
			continue
		}
		heap.Pop(q)
		opened, excess = append(opened, i), excess-helped[i]
		for _, s := range list[i].Shares {
			surplus[s.Zone] -= min(s.Count, surplus[s.Zone])
		}
	}
	return opened, q.looks
}
