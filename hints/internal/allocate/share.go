package allocate

import (
	"math/bits"
	"slices"
)

// MaxNames is how many zones the API allows in the hint of an endpoint.
const MaxNames = 8

// Margin is how many percent above the limit an endpoint may carry before hints that are there change.
const Margin = 10

// Sharing is endpoints that serve their own zone, and others too where a zone would overload its own by more than Limit percent. A
// zone's traffic is divided evenly among the endpoints that serve it.
type Sharing struct {
	Weights []int64 // by zone; 0: nothing is expected from it
	Limit   int     // percent above the mean, positive
	Home    []int   // by endpoint: its own zone, or Nowhere
	Prior   [][]int // by endpoint: the zones that it serves already, its own among them, in order; nil: it is new
	Free    []bool  // by endpoint: it may change at no cost

	whole uint64 // all traffic, in parts of a weight
	scale uint64 // parts of a weight
	own   []int  // by zone: endpoints in it
}

// prepare chooses the scale: as large as fits, and a multiple of all numbers up to exactUpTo, so that loads of so few endpoints are
// exact. Other loads are rounded up.
func (s *Sharing) prepare() {
	const everyUpTo12 = 27720
	total := uint64(NewWeights(s.Weights).total)
	s.scale = everyUpTo12 << (61 - bits.Len64(total) - bits.Len64(everyUpTo12))
	s.whole, s.own = total*s.scale, make([]int, len(s.Weights))
	for _, h := range s.Home {
		if h != Nowhere {
			s.own[h]++
		}
	}
}

// bound is the highest load within a percentage above the mean. One endpoint may carry all of the traffic, and never carries more.
func (s *Sharing) bound(percent int) uint64 {
	all := 100 * uint64(len(s.Home))
	return Quotient(s.whole, min(100+uint64(percent), all), all)
}

// part is what each of k endpoints carries of a zone's traffic.
func (s *Sharing) part(zone, k int) uint64 {
	return (uint64(s.Weights[zone])*s.scale + uint64(k) - 1) / uint64(k)
}

// near is the traffic that stays in its zone if so many endpoints serve each zone, all of its own among them.
func (s *Sharing) near(size []int) (sum uint64) {
	for z, k := range size {
		sum += s.stays(z, k)
	}
	return sum
}

func (s *Sharing) stays(zone, k int) uint64 {
	return Quotient(uint64(s.Weights[zone])*s.scale, uint64(s.own[zone]), uint64(max(k, 1)))
}

// Minimum is the least number of endpoints that keeps a zone within the limit if they serve no other.
func (s *Sharing) Minimum(zone int) int {
	w := NewWeights(s.Weights)
	return w.Minimum(zone, len(s.Home), s.Limit)
}

// Overloads returns by how much the busiest of the endpoints that serve each zone is above the mean, in hundredths of a percent,
// rounded up; 0 for a zone that none serves. It is for the zones that Decide returned, or Prior if Keeps.
func (s *Sharing) Overloads(zones [][]int) []int64 {
	over, busiest := make([]int64, len(s.Weights)), make([]uint64, len(s.Weights))
	p := s.newPlan(zones, s.Free)
	for _, c := range p.crews {
		for _, z := range c.zones {
			busiest[z] = max(busiest[z], p.load(c))
		}
	}
	for z, load := range busiest {
		if p.size[z] > 0 { // a part that was rounded up does not make a hundredth more
			over[z] = int64(CeilQuotient(load-min(load, MaxNames), 10000, s.whole/uint64(len(s.Home)))) - 10000
		}
	}
	return over
}

// homes is what the endpoints must serve.
func (s *Sharing) homes() [][]int {
	zones := make([][]int, len(s.Home))
	for e, h := range s.Home {
		if h != Nowhere {
			zones[e] = []int{h}
		}
	}
	return zones
}

// start is the plan as it stands: an endpoint that is new serves its own zone.
func (s *Sharing) start() *plan {
	zones := s.homes()
	for e, prior := range s.Prior {
		if prior != nil {
			zones[e] = prior
		}
	}
	return s.newPlan(zones, s.Free)
}

// Keeps reports whether all is well as it is and nothing changes for another reason. It searches nothing.
func (s *Sharing) Keeps() bool {
	s.prepare()
	return !slices.Contains(s.Free, true) && s.start().fits(s.bound(s.Limit+Margin))
}

// Decide returns the zones that each endpoint serves, in order, or false if none of the plans that it tries is within the limit: that
// can only be where some endpoint would have to serve more than MaxNames zones.
//
// What is there stays while no endpoint carries more than Margin above the limit, and a plan from scratch would keep at most a tenth
// of all traffic more in its zone. Else endpoints that are free stop to serve zones, as far as the limit allows. Where an endpoint
// carries too much, first free endpoints serve more zones, then any; and if that leaves more than a tenth away, all is planned from
// scratch, and hints that are the same stay. The work is bounded by endpoints times crews: endpoints that are alike.
func (s *Sharing) Decide() ([][]int, bool) {
	s.prepare()
	scratch, ok := s.fromScratch()
	if !ok {
		return nil, false
	}
	if !slices.ContainsFunc(s.Prior, func(set []int) bool { return set != nil }) {
		return scratch.zones(), true
	}
	far := func(p *plan) bool { return s.near(scratch.size) > s.near(p.size)+s.whole/10 }
	now := s.start()
	few := len(now.crews) <= crewLimit+4*len(s.Weights)
	now.employ()
	if now.fits(s.bound(s.Limit + Margin)) {
		if few && far(now) {
			now.narrow()
		}
		return now.zones(), true
	}
	for _, all := range []bool{false, true} {
		if p := s.start(); few && p.widen(all) && !far(p) {
			return p.zones(), true
		}
	}
	return scratch.zones(), true
}

// fromScratch plans without looking at what is there. Then endpoints that have such a set of zones keep it, those that are not free
// first; of the others, those that are free first take what serves most.
func (s *Sharing) fromScratch() (*plan, bool) {
	p := s.newPlan(s.homes(), slices.Repeat([]bool{true}, len(s.Home)))
	if found := p.search(); found != nil {
		p = found
	} else if !p.widen(true) {
		return nil, false
	}
	zones := make([][]int, len(s.Home))
	take := func(e int, same bool) bool {
		i := slices.IndexFunc(p.crews, func(c *crew) bool {
			return len(c.members) > 0 && c.home == s.Home[e] && (!same || slices.Equal(c.zones, s.Prior[e]))
		})
		if i >= 0 {
			c := p.crews[i]
			zones[e], c.members = c.zones, c.members[1:]
		}
		return i >= 0
	}
	var rest []int
	for _, free := range []bool{false, true} {
		for e := range s.Home {
			if s.Free[e] == free && !take(e, true) {
				rest = append(rest, e)
			}
		}
	}
	for _, e := range slices.Backward(rest) {
		take(e, false)
	}
	return s.newPlan(zones, s.Free), true
}
