package packing

import (
	"cmp"
	"slices"
)

// Place returns a Deal for each group, in the order of groups: together they have a place for every
// unassigned endpoint. Place chooses a plan with the fewest writes and, among these, with the
// fewest slices left. Then each reusable slice goes to the group that wants most of the endpoints
// that it holds. Of the clean slices, Place opens the fullest that have room. Of the written
// slices, it fills those that takers chooses. Ties go to the first slice or group.
//
// The caller decides which endpoints go into each of these slices: see placement.placeItems in
// package slicer.
//
// overlaps is called at most once, and only if a group can reuse a slice. Its result has no pair of
// slice and group twice, and may leave out overlaps of 0. nil means an empty list.
//
// If no slice can be created, Place leaves as few endpoints unplaced as possible, and then makes
// few writes. If several groups compete for reusable slices, the number of writes may exceed the
// least by one for each group.
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

// need says which slices a group has and needs for its unassigned endpoints. It is zero if there
// are no such endpoints.
type need struct {
	written     []int // slices that are written anyway and take some of the endpoints, the fullest first
	clean       []int // other slices with room, the emptiest first
	stay        int   // endpoints that stay, in all slices of the group
	places      int   // endpoints for which the written slices have no room
	newSlices   int   // slices to create for these endpoints if no clean slice is opened
	replaceable int   // how many of the new slices clean slices can replace
}

// needs returns the need of each group.
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

// fullestFirst orders slices by the number of endpoints that stay in them. Ties go to the first
// slice.
func (p Problem) fullestFirst(a, b int) int {
	return cmp.Or(cmp.Compare(p.Slices[b].Stay, p.Slices[a].Stay), cmp.Compare(a, b))
}

// emptiestFirst is the reverse of fullestFirst.
func (p Problem) emptiestFirst(a, b int) int { return p.fullestFirst(b, a) }

// New endpoints are a few if there is at most one for each hundred (few) endpoints of their group
// that stay.
const few = 100

// takers chooses the written slices that take new endpoints, and lists the fullest first. A few
// endpoints go into as few slices as possible, because they change together later. More endpoints
// fill the fullest slice first. The smallest number of slices would be the emptiest slices. These
// would then never become empty, and all other slices would keep a few free places into which no
// later batch fits.
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

// fewest chooses the smallest number of written slices that have room for the endpoints, or all
// written slices if their room is not enough. If several sets of this size have room, bestFit
// chooses one of them. written has the emptiest slice first, and the result has the fullest first.
func (p Problem) fewest(written []int, endpoints int) []int {
	count, room := 0, 0
	for ; count < len(written) && room < endpoints; count++ {
		room += p.Max - p.Slices[written[count]].Stay
	}
	return p.bestFit(written, count*p.Max-min(room, endpoints), count)
}

// open finds room for a number of endpoints: it chooses the clean slices to write, and the number
// of slices to create.
func (p Problem) open(clean []int, places int) (opened []int, created int) {
	places = max(places, 0)
	if p.NoCreates {
		return p.openEmptiest(clean, places), 0
	}
	writes := p.full(places)
	opened = p.bestFit(clean, writes*p.Max-places, writes)
	return opened, writes - len(opened)
}

// fitting returns how many clean slices can replace new slices: at most limit, the emptiest first.
// Each clean slice costs a free place for each of its endpoints, because the new slice would be
// empty. free is the number of free places that may be used up.
func (p Problem) fitting(clean []int, free, limit int) int {
	clean = clean[:min(len(clean), limit)]
	for n, i := range clean {
		if free -= p.Slices[i].Stay; free < 0 {
			return n
		}
	}
	return len(clean)
}

// bestFit returns slices that replace new slices. It returns the number of slices that fitting
// returns. Of all sets of this size that fit, it chooses the one with the fullest slice, then the
// one with the fullest second slice, and so on. clean has the emptiest slice first, and the result
// has the fullest first.
func (p Problem) bestFit(clean []int, free, limit int) []int {
	count, least := p.fitting(clean, free, limit), 0 // slices still to choose; endpoints in the emptiest of these
	for _, i := range clean[:count] {
		least += p.Slices[i].Stay
	}
	var chosen []int
	for i := len(clean) - 1; count > 0; i-- {
		others := least - p.Slices[clean[count-1]].Stay
		// The slice is chosen if the emptiest slices still fit beside it, so that count slices are
		// found.
		if stay := p.Slices[clean[i]].Stay; others+stay <= free {
			chosen = append(chosen, clean[i])
			free -= stay
			least = others
			count--
		}
	}
	return chosen
}
