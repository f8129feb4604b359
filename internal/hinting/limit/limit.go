// Package limit decides which zones each endpoint serves, so that no endpoint is expected to carry
// more than a limit. It works on numbers: a zone is an index, and so is an endpoint.
//
// Each endpoint serves its own zone. The traffic of a zone is divided evenly among the endpoints
// that serve it. If the endpoints of a zone would carry more than the limit, or if the zone has no
// endpoints, endpoints of other zones serve the zone, too. In this picture, the zones a and b have
// two endpoints each and zone c has one, all zones have the same weight, and the limit is 50
// percent:
//
//	zone  endpoints  carry    then serve   carry
//	a     A1, A2     -17%     a and c      +39%
//	b     B1, B2     -17%     b            -17%
//	c     C1         +67%     c            -44%
//
// The zones whose endpoints carry most come first. A zone gets the fewest endpoints of other zones
// that bring its endpoints within the limit, those with the lowest load first.
//
// This fails if no endpoint has room for its part of a zone. If a zone is served by every endpoint,
// the part is small. So if it fails, it is tried with one zone that every endpoint serves, each
// zone in turn, and the plan that keeps most traffic in its zone is taken. If that fails, too, it
// is tried with two such zones, and so on. In the end every endpoint serves every zone, and carries
// the mean. For few endpoints, one such zone is tried in any case.
//
// # Cost
//
// A plan costs endpoints times zones, except for sorting. At most 65 plans are made for a decision
// from scratch, and one plan is usually enough.
package limit

import (
	"cmp"
	"slices"

	"github.com/slicewright/slicewright/internal/hinting/allocate"
)

// MaxNames is the number of zones that the API allows in the hints of an endpoint.
const MaxNames = 8

// Margin is the number of points above the limit that an endpoint may carry before existing hints
// change.
const Margin = 10

// Allocator decides which zones each endpoint serves.
type Allocator struct {
	Weights []int64 // by zone: 0 if no traffic is expected from it
	Limit   int     // percent above the mean, positive
	Home    []int   // by endpoint: its own zone, or allocate.Nowhere
	Prior   [][]int // by endpoint: the zones that it serves already, with its own, sorted; nil for a new endpoint
	Free    []bool  // by endpoint: whether it may change at no cost; true for a new endpoint
	Later   []bool  // by endpoint: whether it is free in the next call, when it is no longer new; nil: the same as Free

	ratios allocate.Weights
	whole  uint64 // all traffic: the sum of the weights, times scale
	scale  uint64 // the factor that makes loads whole numbers
	local  []int  // by zone: the number of endpoints in it
	order  []int  // the endpoints, sorted by the argument compare of Decide
}

// maxDecisions is the largest number of decisions that Decide makes to find one that stays.
const maxDecisions = 8

// Decide returns the zones that each endpoint serves, in order. If endpoints are alike, the order
// of compare decides. kept says that no endpoint is free and everything stays. ok is false if no
// plan is within the limit. This happens only with more than [MaxNames] zones.
//
// A second call with the result as Prior changes nothing. But in the second call, endpoints that
// are free only because they are new are not free any more. So Decide makes further decisions at
// once, until one changes nothing.
func (a *Allocator) Decide(compare func(x, y int) int) (zones [][]int, kept, ok bool) {
	zones, kept, ok = a.decide(compare)
	next := *a
	if a.Later != nil {
		next.Free = a.Later
	}
	for n, changed := 1, ok && !kept; changed && n < maxDecisions; n++ {
		next.Prior = zones
		zones, _, _ = next.decide(compare)
		changed = !slices.EqualFunc(zones, next.Prior, slices.Equal)
	}
	return zones, kept, ok
}

// decide returns the first of these plans that keeps each endpoint within the limit, and keeps at
// most a tenth of all traffic less in its zone than plan 3:
//
//  1. Everything stays. Existing hints may be up to Margin above the limit.
//  2. Only free endpoints change. If plan 1 is within the limit, they are planned from scratch.
//  3. All endpoints are planned from scratch.
func (a *Allocator) decide(compare func(x, y int) int) (zones [][]int, kept, ok bool) {
	if a.prepare(); len(a.Home) == 0 {
		return a.Prior, true, true
	}
	highest, none := a.Limit, make([]bool, len(a.Home))
	first := !slices.ContainsFunc(a.Prior, func(set []int) bool { return set != nil })
	if !first {
		highest += Margin
	}
	if !slices.Contains(a.Free, true) { // so no endpoint is new, and start needs no order
		if had := a.start(none); a.within(had, highest) {
			return had.zones, true, true
		}
	}
	a.order = allocate.Numbers(len(a.Home))
	slices.SortStableFunc(a.order, compare)
	had, scratch := a.start(none), a.scratch()
	enough := uint64(0)
	if scratch != nil {
		enough = a.near(scratch)
		enough -= min(enough, a.whole/10) // if less traffic stays in its zone now, a change is worth it
	}
	stays := a.within(had, highest)
	from, least := none, enough
	switch {
	case stays && a.near(had) >= enough:
		return had.zones, false, true
	case stays:
		// The only reason for this change is that more traffic stays in its zone, so it must gain
		// some. The method near rounds down for each zone, so a difference of less than one for
		// each zone may be no gain.
		from, least = a.Free, a.near(had)+uint64(len(had.size))
	}
	p := a.start(from)
	switch {
	case !first && a.widen(p, a.Free) && a.near(p) >= least:
		return p.zones, false, true
	case stays:
		return had.zones, false, true
	case scratch != nil:
		return scratch.zones, false, true
	default:
		return nil, false, false
	}
}

// maxTries is the largest number of zones for which scratch tries a plan in which every endpoint
// serves the zone.
const maxTries = 8

// few is the largest number of endpoints for which one zone that every endpoint serves is tried in
// any case.
const few = 12

// scratch returns a plan within the limit in which all endpoints are planned from scratch, or nil
// if it finds none. The zones that every endpoint serves are as few as possible. The zones that
// lose least traffic by it are tried first.
func (a *Allocator) scratch() (best *plan) {
	lost := func(z int) uint64 { // the traffic that leaves zone z if every endpoint serves it
		return allocate.Quotient(uint64(a.Weights[z])*a.scale, uint64(len(a.Home)-a.local[z]), uint64(len(a.Home)))
	}
	zones := slices.DeleteFunc(allocate.Numbers(len(a.Weights)), func(z int) bool { return a.Weights[z] == 0 })
	slices.SortStableFunc(zones, func(y, z int) int { return cmp.Compare(lost(y), lost(z)) })
	all := slices.Repeat([]bool{true}, len(a.Home))
	start := a.start(all)
	better := func(p *plan) bool { return best == nil || a.near(p) > a.near(best) }
	try := func(everywhere ...int) {
		p := start.clone()
		for _, z := range everywhere {
			a.serveEverywhere(p, z)
		}
		if better(p) && a.widen(p, all) && better(p) {
			best = p
		}
	}
	try()
	for n := 0; n < min(len(zones), MaxNames) && (best == nil || n == 0 && len(a.Home) <= few); n++ {
		for _, z := range zones[n:min(len(zones), n+maxTries)] {
			try(append(slices.Clone(zones[:n]), z)...)
		}
	}
	return best
}
