package allocate

import (
	"cmp"
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

	total uint64
	scale uint64 // a load is in parts of a weight
	own   []int  // by zone: endpoints in it
}

// prepare chooses the scale: as large as fits, and a multiple of all numbers up to exactUpTo, so that loads of so few endpoints are
// exact. Other loads are rounded up.
func (s *Sharing) prepare() {
	const everyUpTo12 = 27720
	s.total, s.own = 0, make([]int, len(s.Weights))
	for _, w := range s.Weights {
		s.total += uint64(w)
	}
	for _, h := range s.Home {
		if h != Nowhere {
			s.own[h]++
		}
	}
	s.scale = everyUpTo12 << max(0, 61-bits.Len64(s.total)-bits.Len64(everyUpTo12))
}

// bound is the highest load within a percentage above the mean.
func (s *Sharing) bound(percent int) uint64 {
	if 100+percent >= 100*len(s.Home) {
		return 1 << 63 // one endpoint may carry all of the traffic
	}
	high, low := bits.Mul64(s.total*s.scale, uint64(100+percent))
	q, _ := bits.Div64(high, low, 100*uint64(len(s.Home)))
	return q
}

// part is what each of k endpoints carries of a zone's traffic.
func (s *Sharing) part(zone, k int) uint64 {
	return (uint64(s.Weights[zone])*s.scale + uint64(k) - 1) / uint64(k)
}

// crew is endpoints that serve the same zones and are in the same one.
type crew struct {
	home    int
	zones   []int // in order; shared by crews, never changed
	free    bool
	members []int
}

func (c *crew) serves(zone int) bool { return slices.Contains(c.zones, zone) }

// with returns the zones and one more, in order.
func with(zones []int, zone int) []int {
	at, _ := slices.BinarySearch(zones, zone)
	return slices.Insert(slices.Clone(zones), at, zone)
}

func without(zones []int, zone int) []int {
	return slices.DeleteFunc(slices.Clone(zones), func(z int) bool { return z == zone })
}

// plan is who serves which zones.
type plan struct {
	*Sharing
	crews []crew
	known map[string]int // the crews by what they are
	size  []int          // by zone: endpoints that serve it
}

const (
	// crewLimit and four for each zone are how many crews there may be before earlier hints are kept or replaced as a whole. What this
	// package decides has far fewer.
	crewLimit = 64
	// narrowLimit is how many endpoints narrow changes at most.
	narrowLimit = 256
)

// newPlan lets each endpoint serve what zones says.
func (s *Sharing) newPlan(zones func(endpoint int) []int, free func(endpoint int) bool) *plan {
	p := &plan{Sharing: s, known: map[string]int{}, size: make([]int, len(s.Weights))}
	for e, home := range s.Home {
		set := zones(e)
		for _, z := range set {
			p.size[z]++
		}
		c := p.crew(home, set, free(e))
		c.members = append(c.members, e)
	}
	return p
}

// crew returns the crew of endpoints that are alike.
func (p *plan) crew(home int, zones []int, free bool) *crew {
	key := append(make([]byte, 0, 4*(MaxNames+2)), byte(home), byte(home>>8), byte(home>>16), byte(home>>24), 0)
	if free {
		key[4] = 1
	}
	for _, z := range zones {
		key = append(key, byte(z), byte(z>>8), byte(z>>16), byte(z>>24))
	}
	i, known := p.known[string(key)]
	if !known {
		i = len(p.crews)
		p.known[string(key)] = i
		p.crews = append(p.crews, crew{home: home, zones: zones, free: free})
	}
	return &p.crews[i]
}

// move lets the last member of a crew serve other zones.
func (p *plan) move(from int, zones []int) {
	c := p.crews[from]
	last := len(c.members) - 1
	for _, z := range c.zones {
		p.size[z]--
	}
	for _, z := range zones {
		p.size[z]++
	}
	to := p.crew(c.home, zones, c.free)
	to.members = append(to.members, c.members[last])
	p.crews[from].members = c.members[:last]
}

// load is what each member of a crew carries.
func (p *plan) load(c *crew) (sum uint64) {
	for _, z := range c.zones {
		sum += p.part(z, p.size[z])
	}
	return sum
}

// fits reports whether no endpoint carries more than the bound, and every zone with a weight is served, every endpoint serves one.
func (p *plan) fits(bound uint64) bool {
	for z, w := range p.Weights {
		if w > 0 && p.size[z] == 0 {
			return false
		}
	}
	for i := range p.crews {
		if c := &p.crews[i]; len(c.members) > 0 && (len(c.zones) == 0 || p.load(c) > bound) {
			return false
		}
	}
	return true
}

// near is the traffic that stays in its zone.
func (p *plan) near() (sum uint64) {
	for z := range p.Weights {
		sum += p.stays(z, p.size[z])
	}
	return sum
}

// stays is how much traffic of a zone stays in it if k endpoints serve it, all of its own among them.
func (s *Sharing) stays(zone, k int) uint64 {
	if k == 0 {
		return 0
	}
	high, low := bits.Mul64(uint64(s.Weights[zone])*s.scale, uint64(s.own[zone]))
	q, _ := bits.Div64(high, low, uint64(k))
	return q
}

// zones lists what every endpoint serves.
func (p *plan) zones() [][]int {
	list := make([][]int, len(p.Home))
	for _, c := range p.crews {
		for _, e := range c.members {
			list[e] = c.zones
		}
	}
	return list
}

// Minimum is the least number of endpoints that keeps a zone within the limit if they serve no other.
func (s *Sharing) Minimum(zone int) int {
	w := Weights{of: s.Weights, total: int64(s.total)}
	return w.Minimum(zone, len(s.Home), s.Limit)
}

// Overloads returns by how much the busiest of the endpoints that serve each zone is above the mean, in hundredths of a percent,
// rounded up; 0 for a zone that none serves. It is for the zones that Decide returned, or Prior if Keeps.
func (s *Sharing) Overloads(zones [][]int) []int64 {
	over := make([]int64, len(s.Weights))
	if len(s.Home) == 0 {
		return over
	}
	p := s.newPlan(func(e int) []int { return zones[e] }, func(int) bool { return false })
	for z := range over {
		busiest, served := uint64(0), false
		for i := range p.crews {
			if c := &p.crews[i]; c.serves(z) {
				busiest, served = max(busiest, p.load(c)), true
			}
		}
		if served { // a part that was rounded up does not make a hundredth more
			whole := s.total * s.scale / uint64(len(s.Home))
			over[z] = int64(ceilQuotient(busiest-min(busiest, MaxNames), 10000, whole)) - 10000
		}
	}
	return over
}

// home is what an endpoint must serve.
func (s *Sharing) home(e int) []int {
	if h := s.Home[e]; h != Nowhere {
		return []int{h}
	}
	return nil
}

// start is the plan as it stands: an endpoint that is new serves its own zone.
func (s *Sharing) start() *plan {
	return s.newPlan(func(e int) []int {
		if s.Prior[e] != nil {
			return s.Prior[e]
		}
		return s.home(e)
	}, func(e int) bool { return s.Free[e] })
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
	far := func(p *plan) bool { return scratch.near() > p.near()+s.total*s.scale/10 }
	now := s.start()
	few := len(now.crews) <= crewLimit+4*len(s.Weights)
	now.employ()
	if now.fits(s.bound(s.Limit + Margin)) {
		if few && far(now) {
			now.narrow()
		}
		return now.zones(), true
	}
	if !few {
		return scratch.zones(), true
	}
	for _, all := range []bool{false, true} {
		p := s.start()
		if p.widen(all) && !far(p) {
			return p.zones(), true
		}
	}
	return scratch.zones(), true
}

// fromScratch plans without looking at what is there, and then lets the endpoints that are there have the zones that they have.
func (s *Sharing) fromScratch() (*plan, bool) {
	p := s.newPlan(s.home, func(int) bool { return true })
	if !p.search() && !p.widen(true) {
		return nil, false
	}
	return s.newPlan(s.match(p), func(e int) bool { return s.Free[e] }), true
}

// match deals the sets of zones of a plan to the endpoints of each zone: one that has such a set keeps it, those that are not free
// first.
func (s *Sharing) match(p *plan) func(endpoint int) []int {
	dealt := make([][]int, len(s.Home))
	var rest []int
	order := make([]int, len(s.Home))
	for e := range order {
		order[e] = e
	}
	slices.SortStableFunc(order, func(a, b int) int { return compareBools(s.Free[a], s.Free[b]) })
	left := make([]int, len(p.crews))
	for i, c := range p.crews {
		left[i] = len(c.members)
	}
	take := func(e int, same bool) bool {
		for i, c := range p.crews {
			if left[i] > 0 && c.home == s.Home[e] && (!same || slices.Equal(c.zones, s.Prior[e])) {
				left[i]--
				dealt[e] = c.zones
				return true
			}
		}
		return false
	}
	for _, e := range order {
		if s.Prior[e] == nil || !take(e, true) {
			rest = append(rest, e)
		}
	}
	for n := len(rest) - 1; n >= 0; n-- { // the free ones first take what serves most
		take(rest[n], false)
	}
	return func(e int) []int { return dealt[e] }
}

func compareBools(a, b bool) int {
	if a == b {
		return 0
	}
	if b {
		return -1
	}
	return +1
}

// widen lets endpoints serve more zones, one at a time, until no endpoint carries more than the limit: the endpoint with most room
// serves the largest part of what the busiest one serves. all: not only those that are free.
func (p *plan) widen(all bool) bool {
	limit := p.bound(p.Limit)
	zones := make([]int, 0, len(p.Weights))
	for z, w := range p.Weights {
		if w > 0 && p.size[z] == 0 {
			zones = append(zones, z)
		}
	}
	slices.SortStableFunc(zones, func(a, b int) int { return cmp.Compare(p.Weights[b], p.Weights[a]) })
	for _, z := range zones {
		if !p.join(z, all) {
			return false
		}
	}
	for {
		busiest, most := -1, limit
		for i := range p.crews {
			if c := &p.crews[i]; len(c.members) > 0 {
				if load := p.load(c); load > most {
					busiest, most = i, load
				}
			}
		}
		if busiest < 0 {
			p.employ()
			return p.fits(limit)
		}
		parts := slices.Clone(p.crews[busiest].zones)
		slices.SortStableFunc(parts, func(a, b int) int { return cmp.Compare(p.part(b, p.size[b]), p.part(a, p.size[a])) })
		if !slices.ContainsFunc(parts, func(z int) bool { return p.Weights[z] > 0 && p.join(z, all) }) {
			return false
		}
	}
}

// join lets the endpoint with most room serve a zone, of several one that is free.
func (p *plan) join(zone int, all bool) bool {
	best, least := -1, uint64(0)
	for i := range p.crews {
		c := &p.crews[i]
		if len(c.members) == 0 || !all && !c.free || c.serves(zone) || len(c.zones) >= MaxNames {
			continue
		}
		if load := p.load(c); best < 0 || load < least || load == least && c.free && !p.crews[best].free {
			best, least = i, load
		}
	}
	if best >= 0 {
		p.move(best, with(p.crews[best].zones, zone))
	}
	return best >= 0
}

// employ lets each endpoint that serves no zone serve the one whose endpoints carry most of it, a zone without endpoints of its own
// before others, because its traffic has no way to stay.
func (p *plan) employ() {
	for i := range p.crews {
		for p.crews[i].home == Nowhere && len(p.crews[i].zones) == 0 && len(p.crews[i].members) > 0 {
			best := Nowhere
			for z, w := range p.Weights {
				if w > 0 && (best == Nowhere || cmp.Or(compareBools(p.own[best] == 0, p.own[z] == 0), cmp.Compare(p.part(z, max(1, p.size[z])), p.part(best, max(1, p.size[best])))) > 0) {
					best = z
				}
			}
			p.move(i, []int{best})
		}
	}
}

// narrow lets free endpoints stop to serve zones that are not their own, the one first that keeps most traffic in its zone, as long as
// no endpoint carries more than the limit.
func (p *plan) narrow() {
	limit := p.bound(p.Limit)
	for range narrowLimit {
		from, zone, most := -1, Nowhere, uint64(0)
		for i := range p.crews {
			c := p.crews[i]
			if !c.free || len(c.members) == 0 || len(c.zones) < 2 {
				continue
			}
			for _, z := range c.zones {
				if z == c.home || p.size[z] < 2 {
					continue
				}
				if gain := p.stays(z, p.size[z]-1) - p.stays(z, p.size[z]); gain > most && p.canLeave(i, z, limit) {
					from, zone, most = i, z, gain
				}
			}
		}
		if from < 0 {
			return
		}
		p.move(from, without(p.crews[from].zones, zone))
	}
}

// canLeave reports whether all other endpoints of a zone stay within the limit if a member of the crew leaves it.
func (p *plan) canLeave(from, zone int, limit uint64) bool {
	more := p.part(zone, p.size[zone]-1) - p.part(zone, p.size[zone])
	for i := range p.crews {
		c := &p.crews[i]
		if others := len(c.members) > 1 || len(c.members) == 1 && i != from; others && c.serves(zone) && p.load(c)+more > limit {
			return false
		}
	}
	return true
}
