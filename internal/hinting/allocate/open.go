package allocate

import (
	"cmp"
	"slices"
)

// ZoneCount is a number of endpoints that have a hint for one zone.
type ZoneCount struct{ Zone, Count int }

// Held counts the endpoints of one unchanged slice by the zone of their hint, with one count for
// each zone. Away is the number of endpoints whose hint is for another zone than their own.
type Held struct {
	Counts []ZoneCount
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
// or nil if there is no excess. held is the number of endpoints in all slices, by the zone
// of their hint.
//
// Slices are chosen one by one, the slice that removes most of the excess first. Ties go to the
// slice with the higher Away, then to the first one. A slice that was chosen early and is not
// needed any more is left out. In this example, zone a has two endpoints too many. The first slice
// gives up two, each of the others one:
//
//	slice 1   a a b        rewritten
//	slice 2   a b b
//	slice 3   a c c
//
// The number of slices is not always the least. If two slices are enough together, and a third one
// gives up more than either, three are rewritten.
func Open(list []Held, held, minimums []int, n int) (needed []int) {
	held = slices.Clone(held)
	shift := func(i, sign int) {
		for _, s := range list[i].Counts {
			held[s.Zone] += sign * s.Count
		}
	}
	left := func(i int) int { // the excess that is left if slice i is rewritten
		shift(i, -1)
		defer shift(i, +1)
		return max(0, Excess(held, minimums, n))
	}
	closed, opened := Numbers(len(list)), []int(nil)
	for Excess(held, minimums, n) > 0 {
		best := slices.MinFunc(closed, func(a, b int) int {
			return cmp.Or(left(a)-left(b), list[b].Away-list[a].Away, a-b)
		})
		shift(best, -1)
		opened = append(opened, best)
		closed = slices.DeleteFunc(closed, func(i int) bool { return i == best })
	}
	for _, i := range opened {
		if shift(i, +1); Excess(held, minimums, n) > 0 {
			shift(i, -1)
			needed = append(needed, i)
		}
	}
	slices.Sort(needed)
	return needed
}
