package packing

import (
	"cmp"
	"slices"
	"sort"
)

// sharesWithoutCreates returns how many of the reusable slices each group gets if nothing can be
// created. First come slices that give a place to endpoints which would have none, then slices that
// save most clean slices from being written.
func (p Problem) sharesWithoutCreates(needs []need, reusable int) (shares []share, dealt int) {
	type unit struct{ places, writes, need int } // what one reusable slice more is worth to a need
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

// rooms has at n the free places of the n emptiest clean slices.
type rooms []int

func (p Problem) rooms(clean []int) rooms {
	r := make(rooms, 1, len(clean)+1)
	for n, i := range clean {
		r = append(r, r[n]+p.Max-p.Slices[i].Stay)
	}
	return r
}

// take returns how many of the endpoints have no room, and how many slices the others fill.
func (r rooms) take(endpoints int) (unplaced, opened int) {
	all := len(r) - 1
	return max(0, endpoints-r[all]), min(sort.SearchInts(r, endpoints), all)
}

// openEmptiest takes the emptiest clean slices until they have enough free places, or all of them.
func (p Problem) openEmptiest(clean []int, places int) []int {
	_, count := p.rooms(clean).take(places)
	opened := slices.Clone(clean[:count])
	slices.Reverse(opened)
	return opened
}
