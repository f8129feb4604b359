package packing

import (
	"cmp"
	"slices"
	"sort"
)

// sharesWithoutCreates returns how many reusable slices each group gets if no slice can be created.
// Each slice goes to the group in which it gives a place to most endpoints that would have none,
// and in a tie to the group in which it saves most writes of clean slices.
func (p Problem) sharesWithoutCreates(needs []need, reusable int) (shares []share, dealt int) {
	type unit struct{ places, writes, need int } // what one more reusable slice is worth to a group
	var units []unit
	for k, n := range needs {
		r := p.rooms(n.clean)
		left := n.places
		for range min(n.newSlices, reusable) {
			unplaced, opened := r.take(left)
			left -= p.Max
			then, fewer := r.take(left)
			units = append(units, unit{unplaced - then, opened - fewer, k})
		}
	}
	slices.SortStableFunc(units, func(a, b unit) int {
		return cmp.Or(cmp.Compare(b.places, a.places), cmp.Compare(b.writes, a.writes))
	})
	shares = make([]share, len(needs))
	for _, u := range units[:min(len(units), reusable)] {
		shares[u.need].most++
		dealt++
	}
	return shares, dealt
}

// In rooms, element n is the number of free places in the n emptiest clean slices.
type rooms []int

func (p Problem) rooms(clean []int) rooms {
	r := make(rooms, 1, len(clean)+1)
	for n, i := range clean {
		r = append(r, r[n]+p.Max-p.Slices[i].Stay)
	}
	return r
}

// take returns how many of the endpoints find no room, and in how many slices the others are put.
func (r rooms) take(endpoints int) (unplaced, opened int) {
	all := len(r) - 1
	return max(0, endpoints-r[all]), min(sort.SearchInts(r, endpoints), all)
}

// openEmptiest returns the emptiest clean slices that together have enough free places, or all
// clean slices if their places are not enough.
func (p Problem) openEmptiest(clean []int, places int) []int {
	_, count := p.rooms(clean).take(places)
	opened := slices.Clone(clean[:count])
	slices.Reverse(opened)
	return opened
}
