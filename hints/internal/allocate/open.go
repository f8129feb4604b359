package allocate

import "slices"

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
// is how many endpoints all slices hold together, by zone. Slices that help as much as is still needed help equally. Ties go to the slice that has more
// endpoints away, then to the first.
func Open(list []Held, total, minimums []int, n int) []int {
	excess := Excess(total, minimums, n)
	if excess <= 0 {
		return nil
	}
	surplus := make([]int, len(total))
	for z := range surplus {
		surplus[z] = max(0, total[z]-minimums[z])
	}
	opened := openUntil(list, surplus, excess)
	return closeSpare(list, opened, slices.Clone(total), minimums, n)
}

// openUntil opens slices until they give up enough, each time the slice that gives up most of the surplus. It looks at all slices
// each time.
func openUntil(list []Held, surplus []int, excess int) (opened []int) {
	taken := make([]bool, len(list))
	for excess > 0 {
		next, most := -1, 0
		for i := range list {
			if gain := list[i].gives(surplus, excess); !taken[i] && (gain > most || gain > 0 && gain == most && list[i].Away > list[next].Away) {
				next, most = i, gain
			}
		}
		taken[next], opened = true, append(opened, next)
		excess -= most
		for _, s := range list[next].Shares {
			surplus[s.Zone] = max(0, surplus[s.Zone]-s.Count)
		}
	}
	return opened
}

// gives returns how many endpoints of the surplus the slice can give up, at most needed.
func (h *Held) gives(surplus []int, needed int) (sum int) {
	for _, s := range h.Shares {
		sum += min(s.Count, surplus[s.Zone])
	}
	return min(sum, needed)
}

// closeSpare closes slices that are not needed, the first opened first, and returns the others. held is how many endpoints all
// slices hold, by zone; it is changed.
func closeSpare(list []Held, opened, held, minimums []int, n int) []int {
	shift := func(slice, sign int) {
		for _, s := range list[slice].Shares {
			held[s.Zone] += sign * s.Count
		}
	}
	for _, i := range opened {
		shift(i, -1)
	}
	var needed []int
	for _, i := range opened {
		if shift(i, +1); Excess(held, minimums, n) > 0 {
			shift(i, -1)
			needed = append(needed, i)
		}
	}
	slices.Sort(needed)
	return needed
}
