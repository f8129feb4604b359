package allocate

import (
	"cmp"
	"container/heap"
	"math/bits"
	"slices"
)

// MaxNames is the number of zones that the API allows in the hints of an endpoint.
const MaxNames = 8

// Margin is the number of points above the limit that an endpoint may carry before existing hints
// change.
const Margin = 10

// Sharing decides which zones each endpoint serves. Each endpoint serves its own zone. If the
// endpoints of a zone would carry more than Limit percent above the mean, endpoints of other zones
// serve it, too. The traffic of a zone is divided evenly among the endpoints that serve it.
type Sharing struct {
	Weights []int64 // by zone: 0 if no traffic is expected from it
	Limit   int     // percent above the mean, positive
	Home    []int   // by endpoint: its own zone, or Nowhere
	Prior   [][]int // by endpoint: the zones that it serves already, with its own, sorted; nil for a new endpoint
	Free    []bool  // by endpoint: whether it may change at no cost; true for a new endpoint
	Later   []bool  // by endpoint: whether it is free in the next call, when it is no longer new; nil: the same as Free

	ratios Weights
	whole  uint64 // all traffic: the sum of the weights, times scale
	scale  uint64 // the factor that makes loads whole numbers
	own    []int  // by zone: the number of endpoints in it
	order  []int  // the endpoints, sorted by the argument compare of Decide
}

// prepare chooses the scale: as large as fits into 64 bits, and a multiple of all numbers up to
// exactUpTo, so that the loads of up to exactUpTo endpoints are exact. Other loads are rounded up.
func (s *Sharing) prepare() {
	const everyUpTo12 = 27720
	s.ratios = NewWeights(s.Weights)
	s.scale = everyUpTo12 << (61 - bits.Len64(uint64(s.ratios.total)) - bits.Len64(everyUpTo12))
	s.whole, s.own = uint64(s.ratios.total)*s.scale, make([]int, len(s.Weights))
	for _, h := range s.Home {
		if h != Nowhere {
			s.own[h]++
		}
	}
}

// bound returns the highest load that is at most a percentage above the mean. The result is at most
// s.whole, because one endpoint never carries more.
func (s *Sharing) bound(percent int) uint64 {
	all := 100 * uint64(len(s.Home))
	return Quotient(s.whole, min(100+uint64(percent), all), all)
}

// part returns the traffic of a zone that each of k endpoints carries. If k is 0, part returns what
// a first endpoint would carry.
func (s *Sharing) part(zone, k int) uint64 {
	k = max(k, 1)
	return (uint64(s.Weights[zone])*s.scale + uint64(k) - 1) / uint64(k)
}

// largestFirst sorts zones by the part that each of their endpoints carries if size[z] endpoints
// serve zone z.
func (s *Sharing) largestFirst(zones, size []int) []int {
	slices.SortStableFunc(zones, func(a, b int) int { return cmp.Compare(s.part(b, size[b]), s.part(a, size[a])) })
	return zones
}

// near returns the traffic that stays in its zone if size[z] endpoints serve zone z, including all
// endpoints in the zone.
func (s *Sharing) near(size []int) (sum uint64) {
	for z, k := range size {
		sum += Quotient(uint64(s.Weights[z])*s.scale, uint64(s.own[z]), uint64(max(k, 1)))
	}
	return sum
}

// Minimum is the smallest number of endpoints that keeps a zone within the limit if they serve no
// other zone.
func (s *Sharing) Minimum(zone int) int { return s.ratios.Minimum(zone, len(s.Home), s.Limit) }

// Served returns three lists by zone: how many endpoints are in the zone, how many endpoints serve
// it, and how far the busiest endpoint that serves it is above the mean, in hundredths of a
// percent, rounded up. over is 0 if no endpoint serves the zone. zones is a result of Decide.
func (s *Sharing) Served(zones [][]int) (own, size []int, over []int64) {
	p, busiest := s.newPlan(zones, s.Free), make([]uint64, len(s.Weights))
	for _, c := range p.groups {
		for _, z := range c.zones {
			busiest[z] = max(busiest[z], p.load(c))
		}
	}
	over = make([]int64, len(s.Weights))
	for z, load := range busiest {
		if p.size[z] > 0 {
			// The load is the sum of at most MaxNames parts, and each was rounded up by less than
			// 1. With MaxNames subtracted, a load that is exact in hundredths does not become one
			// hundredth more.
			over[z] = int64(CeilQuotient(load-min(load, MaxNames), 10000, s.whole/uint64(len(s.Home)))) - 10000
		}
	}
	return s.own, p.size, over
}

// tooMany reports whether the endpoints together cannot serve all zones with a weight.
func (s *Sharing) tooMany() bool {
	weighted := 0
	for _, w := range s.Weights {
		if w > 0 {
			weighted++
		}
	}
	return len(s.Home) > 0 && weighted > MaxNames*len(s.Home)
}

// start lists the zones that each endpoint serves before the method widen adds more: the zones of
// its prior hints, or only its own zone if it is new or planned from scratch. An endpoint without a
// zone of its own then serves the zone whose endpoints carry most, unless its prior hints stay.
func (s *Sharing) start(fromScratch []bool) [][]int {
	zones, size := make([][]int, len(s.Home)), make([]int, len(s.Weights))
	for e, home := range s.Home {
		if s.Prior[e] != nil && !fromScratch[e] {
			zones[e] = s.Prior[e]
		} else if home != Nowhere {
			zones[e] = []int{home}
		}
		for _, z := range zones[e] {
			size[z]++
		}
	}
	var q *queue // the zones, sorted by what their endpoints carry, the most first
	for _, e := range s.order {
		if zones[e] != nil {
			continue
		}
		if q == nil {
			q = newQueue(numbers(len(size)), func(a, b int) int {
				return cmp.Or(cmp.Compare(s.part(b, size[b]), s.part(a, size[a])), a-b)
			})
		}
		zones[e] = []int{q.list[0]}
		size[q.list[0]]++
		heap.Fix(q, 0)
	}
	return zones
}

// Decide returns the zones that each endpoint serves, in order. ok is false if none of the plans
// that it tries is within the limit. This happens only if some endpoint would have to serve more
// than MaxNames zones. kept says that no endpoint is free and none carries more than Margin above
// the limit, so that everything stays as it is. If endpoints are alike, the order of compare
// decides which of them change. The time is linear in endpoints and in zones, except for sorting.
//
// A second call with the result as Prior changes nothing. But in the second call, endpoints that
// are free only because they are new are not free any more. If they stay as they are, other zones
// for the endpoints that are still free might keep more traffic in its zone. So Decide makes the
// second decision at once, and returns its result.
func (s *Sharing) Decide(compare func(a, b int) int) (zones [][]int, kept, ok bool) {
	zones, kept, ok = s.decide(compare)
	if ok && s.Later != nil && !slices.Equal(s.Free, s.Later) {
		next := Sharing{Weights: s.Weights, Limit: s.Limit, Home: s.Home, Prior: zones, Free: s.Later}
		zones, _, _ = next.decide(compare)
	}
	return zones, kept, ok
}

// decide tries three plans in this order:
//
//  1. The prior zones stay. This plan is good enough if no endpoint carries more than Margin above
//     the limit, and a plan from scratch would raise the traffic that stays in its zone by at most
//     a tenth of all traffic.
//  2. Only free endpoints change. If an endpoint carries too much, the free endpoints serve more
//     zones. Otherwise they are planned from scratch.
//  3. If an endpoint carries too much and plan 2 is not good enough, all endpoints are planned from
//     scratch. An endpoint keeps its hints if the plan has an endpoint of its zone with these hints
//     (see assign).
func (s *Sharing) decide(compare func(a, b int) int) (zones [][]int, kept, ok bool) {
	if s.prepare(); s.tooMany() {
		return nil, false, false
	}
	if len(s.Home) == 0 || !slices.Contains(s.Free, true) && s.newPlan(s.Prior, s.Free).within(s.Limit+Margin) {
		return s.Prior, true, true
	}
	s.order = numbers(len(s.Home))
	slices.SortStableFunc(s.order, compare)
	none, all := make([]bool, len(s.Home)), slices.Repeat([]bool{true}, len(s.Home))
	fresh := s.search()
	if fresh == nil {
		fresh = s.start(all)
	}
	scratch := s.newPlan(fresh, all) // all endpoints are free, and prior zones do not count
	if !scratch.widen() {
		return nil, false, false
	}
	if !slices.ContainsFunc(s.Prior, func(set []int) bool { return set != nil }) {
		return scratch.assign(), false, true
	}
	had := s.start(none)
	now, near := s.newPlan(had, s.Free), s.near(scratch.size)
	enough := near - min(near, s.whole/10) // if less traffic stays in its zone now, a change is worth it
	bearable, nearNow := now.within(s.Limit+Margin), s.near(now.size)
	if !bearable || nearNow < enough {
		from, least := had, enough
		if bearable {
			// The only reason for this change is that more traffic stays in its zone, so it must
			// gain some. The method near rounds down for each zone, so a difference of less than
			// one for each zone may be no gain.
			from, least = s.start(s.Free), nearNow+uint64(len(now.size))
		}
		p := s.newPlan(from, s.Free)
		if p.widen() && s.near(p.size) >= least {
			return p.assign(), false, true
		}
	}
	if bearable {
		return had, false, true
	}
	return scratch.assign(), false, true
}
