package allocate

import "slices"

// Share is a number of endpoints of one zone.
type Share struct{ Zone, Count int }

// Held is what a slice that need not be written holds: a share for each zone, each zone once. Away is how many of its endpoints
// are hinted to another zone than their own, or could go home otherwise.
type Held struct {
	Shares []Share
	Away   int
}

// Excess returns how far the endpoints that the zones hold are from leaving room for the minimums: zero or less means that the
// others, of n, suffice to fill every zone up to its minimum.
func Excess(held, minimums []int, n int) int {
	over := -n
	for z, m := range minimums {
		over += max(held[z], m)
	}
	return over
}

// Open returns the slices to open so that the excess goes, as sorted positions in the list; nil if there is none. total is what
// all slices hold together, by zone. Slices that help as much as is still needed help equally. Ties go to the slice that has more
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

// openUntil opens the slice that gives up most of the surplus until that is enough. It looks at all slices each time.
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

// gives returns how much of the surplus the slice can give up, as far as that is needed.
func (h *Held) gives(surplus []int, needed int) (sum int) {
	for _, s := range h.Shares {
		sum += min(s.Count, surplus[s.Zone])
	}
	return min(sum, needed)
}

// closeSpare closes slices that are not needed, the first opened first, and returns the others. held is what all slices hold,
// and is changed.
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
