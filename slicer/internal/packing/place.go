package packing

import (
	"cmp"
	"slices"
)

// Place returns a Deal for each group, in their order: a place for every unassigned endpoint. Of
// all plans it chooses the one with the fewest writes, then with the fewest slices left, then with
// reusable slices that go to the group that wants most of what they hold. Of clean slices it opens
// the fullest that have room. Of written slices it fills those that takers chooses. Ties go to the
// first one.
//
// The caller decides which endpoints go into each of these slices: see placement.placeItems in
// package slicer.
//
// overlaps is called at most once, and only if a group can reuse a slice. It lists nothing twice
// and may leave out overlaps of 0. nil is an empty list.
//
// If nothing can be created, Place leaves as few endpoints unplaced as possible, and then makes few
// writes. If several groups compete for reusable slices, the number of writes may exceed the least
// by one for each group.
func Place(p Problem, overlaps func() []Overlap) []Deal {
	deals := make([]Deal, len(p.Unassigned))
	needs := p.needs()
	for g, reused := range p.reuse(needs, overlaps) {
		n, d := &needs[g], &deals[g]
		d.Written, d.Reused = n.written, reused
		d.Opened, d.Created = p.open(n.clean, n.places-len(reused)*p.Max)
	}
	return deals
}

// need is what a group has to find for its unassigned endpoints. It is zero if there are none.
type need struct {
	written     []int // slices that are written anyway and take some of the endpoints, the fullest first
	clean       []int // other slices with room, the emptiest first
	stay        int   // endpoints that stay, in all slices of the group
	places      int   // endpoints for which written has no room
	newSlices   int   // slices to create for these if no clean one is opened
	replaceable int   // how many of newSlices clean slices can replace
}

// needs lists what the groups have to find.
func (p Problem) needs() []need {
	needs := make([]need, len(p.Unassigned))
	for g, unassigned := range p.Unassigned {
		needs[g].places = unassigned
	}
	for i, s := range p.Slices {
		if s.reusable() || p.Unassigned[s.Group] == 0 {
			continue
		}
		n := &needs[s.Group]
		n.stay += s.Stay
		switch {
		case s.Stay >= p.Max: // no room
		case s.Written:
			n.written = append(n.written, i)
			n.places -= p.Max - s.Stay
		default:
			n.clean = append(n.clean, i)
		}
	}
	for g := range needs {
		n := &needs[g]
		n.places = max(n.places, 0)
		n.newSlices = p.full(n.places)
		n.written = p.takers(n.written, p.Unassigned[g], n.stay)
		slices.SortFunc(n.clean, p.emptiestFirst)
		n.replaceable = p.fitting(n.clean, n.newSlices*p.Max-n.places, n.newSlices)
	}
	return needs
}

// fullestFirst orders slices by what stays in them. Ties go to the first one.
func (p Problem) fullestFirst(a, b int) int {
	return cmp.Or(cmp.Compare(p.Slices[b].Stay, p.Slices[a].Stay), cmp.Compare(a, b))
}

// emptiestFirst is the reverse of fullestFirst.
func (p Problem) emptiestFirst(a, b int) int { return p.fullestFirst(b, a) }

// few says when new endpoints are a few: if there is at most one for each hundred endpoints of
// their group that stay.
const few = 100

// takers chooses the written slices that take new endpoints, and lists the fullest first. A few
// endpoints go into as few slices as have room, because they change together later. More endpoints
// fill the fullest slice first: as few slices as have room are the emptiest ones, so that these
// would never run empty, and free places would be left where no later batch fits.
func (p Problem) takers(written []int, endpoints, stay int) []int {
	slices.SortFunc(written, p.emptiestFirst)
	if endpoints*few <= stay {
		return p.fewest(written, endpoints)
	}
	slices.Reverse(written)
	for n, i := range written {
		if endpoints -= p.Max - p.Slices[i].Stay; endpoints <= 0 {
			return written[:n+1]
		}
	}
	return written
}

// fewest chooses as few written slices as have room for the endpoints, or all slices if these have
// not room enough. If several sets have room, bestFit chooses one of them. written has the emptiest
// slice first, and the result has the fullest first.
func (p Problem) fewest(written []int, endpoints int) []int {
	count, room := 0, 0
	for ; count < len(written) && room < endpoints; count++ {
		room += p.Max - p.Slices[written[count]].Stay
	}
	return p.bestFit(written, count*p.Max-min(room, endpoints), count)
}

// open chooses the clean slices to write and the number of slices to create for a number of
// endpoints.
func (p Problem) open(clean []int, places int) (opened []int, created int) {
	places = max(places, 0)
	if p.NoCreates {
		return p.openEmptiest(clean, places), 0
	}
	writes := p.full(places)
	opened = p.bestFit(clean, writes*p.Max-places, writes)
	return opened, writes - len(opened)
}

// fitting returns how many clean slices can replace new ones, at most limit and the emptiest first.
// Each costs one free place for each of its endpoints, because a new slice would be empty. free is
// the number of places that are available.
func (p Problem) fitting(clean []int, free, limit int) int {
	clean = clean[:min(len(clean), limit)]
	for n, i := range clean {
		if free -= p.Slices[i].Stay; free < 0 {
			return n
		}
	}
	return len(clean)
}

// bestFit returns the slices that fill first. Their number is what fitting returns. Of all sets of
// this size that fit, it chooses the one with the fullest slice, then the one with the fullest
// second slice, and so on. clean has the emptiest slice first, and the result has the fullest
// first.
func (p Problem) bestFit(clean []int, free, limit int) []int {
	count, least := p.fitting(clean, free, limit), 0 // still to choose, and what the emptiest of these hold
	for _, i := range clean[:count] {
		least += p.Slices[i].Stay
	}
	var chosen []int
	for i := len(clean) - 1; count > 0; i-- {
		others := least - p.Slices[clean[count-1]].Stay
		// The slice is chosen if the emptiest ones fit beside it, so that the count is still
		// reached.
		if stay := p.Slices[clean[i]].Stay; others+stay <= free {
			chosen = append(chosen, clean[i])
			free -= stay
			least = others
			count--
		}
	}
	return chosen
}
