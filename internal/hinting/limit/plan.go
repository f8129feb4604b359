package limit

import (
	"cmp"
	"slices"

	"github.com/slicewright/slicewright/internal/hinting/allocate"
)

// plan says which zones each endpoint serves.
type plan struct {
	zones [][]int  // by endpoint: sorted; endpoints share this memory, so it is never changed
	size  []int    // by zone: the number of endpoints that serve it
	load  []uint64 // by endpoint
}

func (p *plan) clone() *plan {
	return &plan{slices.Clone(p.zones), slices.Clone(p.size), slices.Clone(p.load)}
}

// start returns the plan in which endpoints that are planned from scratch, and new ones, serve only
// their own zone, and all others what they serve already. An endpoint without a zone serves the
// zone whose endpoints carry most.
func (a *Allocator) start(fromScratch []bool) *plan {
	p := &plan{make([][]int, len(a.Home)), make([]int, len(a.Weights)), make([]uint64, len(a.Home))}
	own := allocate.Numbers(len(a.Weights))
	for e, home := range a.Home {
		if a.Prior[e] != nil && !fromScratch[e] {
			p.zones[e] = a.Prior[e]
		} else if home != allocate.Nowhere {
			p.zones[e] = own[home : home+1 : home+1]
		}
		for _, z := range p.zones[e] {
			p.size[z]++
		}
	}
	for _, e := range a.order {
		if p.zones[e] == nil {
			z := slices.MinFunc(own, func(y, z int) int {
				return cmp.Or(a.served(p, y)-a.served(p, z), a.mostFirst(p.size)(y, z))
			})
			p.zones[e] = own[z : z+1 : z+1]
			p.size[z]++
		}
	}
	for e := range p.load {
		for _, z := range p.zones[e] {
			p.load[e] += a.part(z, p.size[z])
		}
	}
	return p
}

// mostFirst returns the order of zones by the part that each of their endpoints carries if size[z]
// endpoints serve zone z. Ties go to the zone with fewer endpoints of its own, which loses less
// traffic to other zones.
func (a *Allocator) mostFirst(size []int) func(y, z int) int {
	return func(y, z int) int {
		return cmp.Or(cmp.Compare(a.part(z, size[z]), a.part(y, size[y])), a.local[y]-a.local[z])
	}
}

// served returns 0 if no endpoint serves a zone that has a weight, and otherwise 1.
func (a *Allocator) served(p *plan, zone int) int {
	if p.size[zone] == 0 && a.Weights[zone] > 0 {
		return 0
	}
	return 1
}

// within reports whether each zone is served, and no endpoint carries more than a percentage above
// the mean.
func (a *Allocator) within(p *plan, percent int) bool {
	for z := range p.size {
		if a.served(p, z) == 0 {
			return false
		}
	}
	return slices.Max(p.load) <= a.bound(percent)
}

// rounds is how often widen looks for zones that need more endpoints.
const rounds = 4

// widen lets free endpoints serve more zones, and reports whether each zone is then served and no
// endpoint carries more than the limit. Each round takes the zones that are above the limit, those
// whose endpoints carry most first, and brings each within the limit, if that is possible.
func (a *Allocator) widen(p *plan, free []bool) bool {
	limit := a.bound(a.Limit)
	for range rounds {
		over := make([]bool, len(p.size))
		for z, k := range p.size {
			over[z] = k == 0
		}
		for e, load := range p.load {
			for _, z := range p.zones[e] {
				over[z] = over[z] || load > limit
			}
		}
		zones := allocate.Numbers(len(p.size))
		zones = slices.DeleteFunc(zones, func(z int) bool { return a.Weights[z] == 0 || !over[z] })
		if len(zones) == 0 {
			return true
		}
		slices.SortStableFunc(zones, a.mostFirst(p.size))
		changed := false
		for _, z := range zones {
			changed = a.widenZone(p, z, free) || changed
		}
		if !changed {
			return false
		}
	}
	return a.within(p, a.Limit)
}

// widenZone lets the fewest free endpoints serve a zone that bring its endpoints within the limit.
// Endpoints that serve it already come first, then those that carry least. If no number of them is
// enough, it takes the number that brings the busiest endpoint of the zone nearest to the limit. It
// reports whether there is any.
func (a *Allocator) widenZone(p *plan, z int, free []bool) (changed bool) {
	limit, had := a.bound(a.Limit), a.part(z, p.size[z])
	over, others := p.size[z] == 0, uint64(0) // others: the most that an endpoint carries for other zones
	var more []int                            // the endpoints that may serve the zone, too
	for _, e := range a.order {
		if slices.Contains(p.zones[e], z) {
			over, others = over || p.load[e] > limit, max(others, p.load[e]-had)
		} else if free[e] && len(p.zones[e]) < MaxNames {
			more = append(more, e)
		}
	}
	if !over || len(more) == 0 {
		return false
	}
	slices.SortStableFunc(more, func(x, y int) int {
		return cmp.Or(cmp.Compare(p.load[x], p.load[y]), a.newTo(z, x)-a.newTo(z, y))
	})
	count, least := 0, had+others // the number of endpoints to add, and the highest load that they cause
	if p.size[z] == 0 {
		least = ^uint64(0)
	}
	for n := 1; n <= len(more) && least > limit; n++ {
		others = max(others, p.load[more[n-1]])
		if highest := a.part(z, p.size[z]+n) + others; highest < least {
			count, least = n, highest
		}
	}
	a.serve(p, z, more[:count])
	return count > 0
}

// newTo returns 0 if the endpoint served the zone before, and otherwise 1.
func (a *Allocator) newTo(zone, endpoint int) int {
	if slices.Contains(a.Prior[endpoint], zone) {
		return 0
	}
	return 1
}

// serveEverywhere lets every endpoint serve a zone, except for those that serve MaxNames
// zones.
func (a *Allocator) serveEverywhere(p *plan, zone int) {
	mayNot := func(e int) bool { return slices.Contains(p.zones[e], zone) || len(p.zones[e]) == MaxNames }
	a.serve(p, zone, slices.DeleteFunc(allocate.Numbers(len(p.zones)), mayNot))
}

// serve lets more endpoints serve a zone.
func (a *Allocator) serve(p *plan, zone int, more []int) {
	before, after := a.part(zone, p.size[zone]), a.part(zone, p.size[zone]+len(more))
	for e := range p.zones {
		if slices.Contains(p.zones[e], zone) {
			p.load[e] -= before - after
		}
	}
	p.size[zone] += len(more)
	for _, e := range more {
		p.zones[e] = with(p.zones[e], zone)
		p.load[e] += after
	}
}

// with returns the zones and one more, in order.
func with(zones []int, zone int) []int {
	at, _ := slices.BinarySearch(zones, zone)
	return slices.Insert(slices.Clone(zones), at, zone)
}
