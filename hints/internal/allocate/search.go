package allocate

import (
	"cmp"
	"slices"
)

const (
	// exactUpTo is the largest number of endpoints for which search looks for the plan that keeps
	// the most traffic in its zone.
	exactUpTo = 12
	// searchSteps is the largest number of steps of a search. A step is to compute new sizes, or to
	// choose an endpoint.
	searchSteps = 1 << 13
)

// sizes says how many endpoints serve each zone. The traffic that stays in its zone depends only on
// these numbers.
type sizes struct {
	of   []int  // by zone: the number of endpoints that serve it
	near uint64 // the traffic that stays in its zone
	last int    // the zone whose number grew last; zones before it do not grow any more, so no sizes occur twice
}

// search returns the plan that keeps the most traffic in its zone, whatever zones endpoints serve
// already. It tries sizes in descending order of the traffic that stays in its zone, until it finds
// endpoints that serve these sizes within the limit. It returns nil if there are more than
// exactUpTo endpoints, or if it does not find a plan within searchSteps.
func (s *Sharing) search() [][]int {
	if len(s.Home) > exactUpTo {
		return nil
	}
	first := slices.Clone(s.own)
	for z, w := range s.Weights {
		if w > 0 {
			// Every zone is served, at least by its own endpoints. Fewer than the minimum would
			// carry more than the limit.
			first[z] = max(1, s.own[z], s.Minimum(z))
		}
	}
	f := fill{Sharing: s, limit: s.bound(s.Limit), steps: searchSteps}
	// open is sorted by the traffic that stays in its zone, so the best sizes are last. With one
	// more endpoint for a zone, never more traffic stays in its zone. So the first sizes that can
	// be served are the best.
	for open := []sizes{{of: first}}; len(open) > 0 && f.steps > 0; {
		best := open[len(open)-1]
		open = open[:len(open)-1]
		if f.find(best.of) {
			return f.zones
		}
		for z := best.last; z < len(first); z++ {
			if s.Weights[z] == 0 || best.of[z] == len(s.Home) {
				continue
			}
			more := sizes{of: slices.Clone(best.of), last: z}
			more.of[z]++
			more.near = s.near(more.of)
			at, _ := slices.BinarySearchFunc(open, more, func(a, b sizes) int {
				return cmp.Or(cmp.Compare(a.near, b.near), slices.Compare(b.of, a.of))
			})
			open = slices.Insert(open, at, more)
			f.steps--
		}
	}
	return nil
}

// fill looks for the zones of endpoints, so that size[z] endpoints serve each zone z and each
// endpoint stays within the limit.
type fill struct {
	*Sharing
	limit uint64
	steps int
	size  []int
	load  []uint64 // by endpoint
	zones [][]int  // by endpoint
}

// find reports whether endpoints can serve the zones with these sizes within the limit. If so,
// f.zones has the zones of each endpoint.
func (f *fill) find(size []int) bool {
	f.size = size
	f.load = make([]uint64, len(f.Home))
	f.zones = make([][]int, len(f.Home))
	for e, home := range f.Home {
		if home != Nowhere {
			f.load[e], f.zones[e] = f.part(home, size[home]), []int{home}
		}
	}
	// Zones with more than their own endpoints need endpoints of other zones.
	short := slices.DeleteFunc(numbers(len(size)), func(z int) bool { return size[z] == f.own[z] })
	return f.next(f.largestFirst(short, size))
}

// next finds endpoints for the first of the zones and then for the zones after it, and reports
// whether it found them. It tries the endpoints with the lowest load first.
func (f *fill) next(zones []int) bool {
	if len(zones) == 0 {
		return !slices.ContainsFunc(f.zones, func(set []int) bool { return len(set) == 0 })
	}
	z := zones[0]
	part := f.part(z, f.size[z])
	var may []int
	for e, home := range f.Home {
		if home != z && f.load[e]+part <= f.limit && len(f.zones[e]) < MaxNames {
			may = append(may, e)
		}
	}
	slices.SortStableFunc(may, f.compare)
	return f.choose(zones, may, f.size[z]-f.own[z], part)
}

// compare orders endpoints by their load. If two endpoints compare equal, it makes no difference
// which of them serves the zones that still need endpoints.
func (f *fill) compare(a, b int) int {
	return cmp.Or(
		cmp.Compare(f.load[a], f.load[b]), cmp.Compare(f.Home[a], f.Home[b]),
		cmp.Compare(len(f.zones[a]), len(f.zones[b])),
	)
}

// choose picks the given number of endpoints (need) from the list (may) for the first zone, and
// then endpoints for the zones after it. It reports whether it found them.
func (f *fill) choose(zones, may []int, need int, part uint64) bool {
	if f.steps--; f.steps < 0 || need > len(may) {
		return false
	}
	if need == 0 {
		return f.next(zones[1:])
	}
	e, had := may[0], f.zones[may[0]]
	unlike := slices.IndexFunc(may, func(other int) bool { return f.compare(e, other) != 0 })
	f.load[e], f.zones[e] = f.load[e]+part, with(had, zones[0])
	if f.choose(zones, may[1:], need-1, part) {
		return true
	}
	f.load[e], f.zones[e] = f.load[e]-part, had
	// The endpoints that compare equal to e are not tried either: they would fail in the same way.
	return unlike > 0 && f.choose(zones, may[unlike:], need, part)
}
