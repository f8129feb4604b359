package packing

import (
	"cmp"
	"slices"
)

// Place returns a Deal for each group. It fills slices as Kubernetes does, except that Kubernetes
// uses recycled slices only in place of new ones:
//
//  1. the updated slices of the group, the fullest first
//  2. recycled slices, those with the ports of the group first
//  3. the fullest unchanged slice of the group that takes all endpoints that are left
//  4. if there is none, a new slice; then step 3 again for the rest
//
// If no slice can be created, step 4 fills the emptiest unchanged slice instead. Endpoints for which
// no slice has room then stay without a place.
func Place(p Problem) []Deal {
	deals, left := make([]Deal, len(p.Unassigned)), slices.Clone(p.Unassigned)
	all := p.slicesByGroup()
	for g := range deals {
		deals[g].Updated, left[g] = p.fill(all.updated[g], left[g])
	}
	for g := range deals {
		deals[g].Recycled, all.recycled[g], left[g] = p.recycle(all.recycled[g], left[g])
	}
	others := slices.Sorted(slices.Values(slices.Concat(append(all.recycled, all.otherPorts)...)))
	for g := range deals {
		var more []int
		more, others, left[g] = p.recycle(others, left[g])
		deals[g].Recycled = append(deals[g].Recycled, more...)
		p.open(&deals[g], all.unchanged[g], left[g])
	}
	return deals
}

// slicesByGroup has the slices that have room.
type slicesByGroup struct {
	updated, unchanged [][]int // by group, the fullest first
	recycled           [][]int // by the group whose ports they have
	otherPorts         []int   // recycled slices whose ports no group has
}

func (p Problem) slicesByGroup() slicesByGroup {
	n := len(p.Unassigned)
	all := slicesByGroup{make([][]int, n), make([][]int, n), make([][]int, n), nil}
	for i, s := range p.Slices {
		switch {
		case s.recycled() && s.Ports == None:
			all.otherPorts = append(all.otherPorts, i)
		case s.recycled():
			all.recycled[s.Ports] = append(all.recycled[s.Ports], i)
		case s.Stay >= p.Max:
		case s.Updated:
			all.updated[s.Group] = append(all.updated[s.Group], i)
		default:
			all.unchanged[s.Group] = append(all.unchanged[s.Group], i)
		}
	}
	for g := range n {
		slices.SortFunc(all.updated[g], p.fullestFirst)
		slices.SortFunc(all.unchanged[g], p.fullestFirst)
	}
	return all
}

// fill returns the first of the slices that a number of endpoints fills, and how many endpoints are
// left.
func (p Problem) fill(list []int, endpoints int) (filled []int, left int) {
	for n, i := range list {
		if endpoints <= 0 {
			return list[:n], 0
		}
		endpoints -= p.room(i)
	}
	return list, max(endpoints, 0)
}

// recycle returns the first of the recycled slices that a number of endpoints fills, the other
// slices, and how many endpoints are left.
func (p Problem) recycle(list []int, endpoints int) (filled, others []int, left int) {
	n := min(len(list), p.full(endpoints))
	return list[:n:n], list[n:], max(endpoints-n*p.Max, 0)
}

// open adds unchanged slices and new slices for a number of endpoints to a deal. unchanged has the
// fullest slice first.
func (p Problem) open(d *Deal, unchanged []int, endpoints int) {
	if endpoints > p.Max && !p.NoCreates { // no unchanged slice takes that many
		d.Created = p.full(endpoints) - 1
		endpoints -= d.Created * p.Max
	}
	for emptiest := len(unchanged) - 1; p.NoCreates && emptiest >= 0; emptiest-- {
		room := p.room(unchanged[emptiest])
		if room >= endpoints {
			break
		}
		d.Unchanged = append(d.Unchanged, unchanged[emptiest])
		unchanged = unchanged[:emptiest]
		endpoints -= room
	}
	fits := slices.IndexFunc(unchanged, func(i int) bool { return p.room(i) >= endpoints })
	switch {
	case endpoints <= 0:
	case fits >= 0:
		d.Unchanged = append(d.Unchanged, unchanged[fits])
	case !p.NoCreates:
		d.Created++
	}
}

// room is the number of endpoints that a slice takes beside those that stay.
func (p Problem) room(i int) int { return p.Max - p.Slices[i].Stay }

// fullestFirst orders slices by the number of endpoints that stay in them. Ties go to the first
// slice.
func (p Problem) fullestFirst(a, b int) int {
	return cmp.Or(cmp.Compare(p.Slices[b].Stay, p.Slices[a].Stay), cmp.Compare(a, b))
}
