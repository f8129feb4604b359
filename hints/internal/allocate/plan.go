package allocate

import (
	"cmp"
	"slices"
)

const (
	// crewLimit and four for each zone are how many crews there may be before earlier hints are kept or replaced as a whole. What this
	// package decides has far fewer.
	crewLimit = 64
	// narrowLimit is how many endpoints narrow changes at most.
	narrowLimit = 256
)

// plan is who serves which zones.
type plan struct {
	*Sharing
	crews []*crew
	known map[kind]*crew
	size  []int // by zone: endpoints that serve it
}

// crew is endpoints that serve the same zones and are in the same one.
type crew struct {
	home    int
	zones   []int // in order; shared by crews, never changed
	free    bool
	members []int
}

// kind is what the members of a crew have in common.
type kind struct {
	home, count int
	free        bool
	zones       [MaxNames]int
}

// newPlan lets each endpoint serve zones.
func (s *Sharing) newPlan(zones [][]int, free []bool) *plan {
	p := &plan{Sharing: s, known: map[kind]*crew{}, size: make([]int, len(s.Weights))}
	for e, home := range s.Home {
		p.add(e, crew{home: home, zones: zones[e], free: free[e]})
	}
	return p
}

// add makes an endpoint a member of a crew.
func (p *plan) add(endpoint int, like crew) {
	k := kind{home: like.home, count: len(like.zones), free: like.free}
	copy(k.zones[:], like.zones)
	c := p.known[k]
	if c == nil {
		c = &like
		p.known[k], p.crews = c, append(p.crews, c)
	}
	c.members = append(c.members, endpoint)
	for _, z := range c.zones {
		p.size[z]++
	}
}

// move lets the last member of a crew serve other zones.
func (p *plan) move(c *crew, zones []int) {
	last := len(c.members) - 1
	for _, z := range c.zones {
		p.size[z]--
	}
	p.add(c.members[last], crew{home: c.home, zones: zones, free: c.free})
	c.members = c.members[:last]
}

// with returns the zones and one more, in order.
func with(zones []int, zone int) []int {
	at, _ := slices.BinarySearch(zones, zone)
	return slices.Insert(slices.Clone(zones), at, zone)
}

// load is what each member of a crew carries, 0 if it has none.
func (p *plan) load(c *crew) (sum uint64) {
	if len(c.members) > 0 {
		for _, z := range c.zones {
			sum += p.part(z, p.size[z])
		}
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
	return !slices.ContainsFunc(p.crews, func(c *crew) bool { return p.load(c) > bound || len(c.zones) == 0 && len(c.members) > 0 })
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

// largestFirst sorts zones by what each of their endpoints carries.
func (p *plan) largestFirst(zones []int) []int {
	slices.SortStableFunc(zones, func(a, b int) int { return cmp.Compare(p.part(b, p.size[b]), p.part(a, p.size[a])) })
	return zones
}

// widen lets endpoints serve more zones, one at a time, until no endpoint carries more than the limit: the endpoint with most room
// serves the largest part of what the busiest one serves. all: not only those that are free.
func (p *plan) widen(all bool) bool {
	var zones []int
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
		var busiest *crew
		most := p.bound(p.Limit)
		for _, c := range p.crews {
			if load := p.load(c); load > most {
				busiest, most = c, load
			}
		}
		if busiest == nil {
			p.employ()
			return true
		}
		parts := p.largestFirst(slices.Clone(busiest.zones))
		if !slices.ContainsFunc(parts, func(z int) bool { return p.Weights[z] > 0 && p.join(z, all) }) {
			return false
		}
	}
}

// join lets the endpoint with most room serve a zone, of several one that is free.
func (p *plan) join(zone int, all bool) bool {
	var best *crew
	least := uint64(0)
	for _, c := range p.crews {
		if len(c.members) == 0 || !all && !c.free || slices.Contains(c.zones, zone) || len(c.zones) == MaxNames {
			continue
		}
		if load := p.load(c); best == nil || load < least || load == least && c.free && !best.free {
			best, least = c, load
		}
	}
	if best != nil {
		p.move(best, with(best.zones, zone))
	}
	return best != nil
}

// employ lets each endpoint that serves no zone serve the one whose endpoints carry most of it, a zone without endpoints of its own
// before others, because its traffic has no way to stay.
func (p *plan) employ() {
	for _, c := range p.crews {
		for len(c.zones) == 0 && len(c.members) > 0 {
			best := Nowhere
			for z, w := range p.Weights {
				if w > 0 && (best == Nowhere || cmp.Or(min(p.own[best], 1)-min(p.own[z], 1), cmp.Compare(p.part(z, max(1, p.size[z])), p.part(best, max(1, p.size[best])))) > 0) {
					best = z
				}
			}
			p.move(c, []int{best})
		}
	}
}

// narrow lets free endpoints stop to serve zones that are not their own, one at a time, as long as no endpoint carries more than the
// limit.
func (p *plan) narrow() {
	for n := 0; n < narrowLimit && p.leave(); n++ {
	}
}

// leave lets the endpoint stop to serve the zone that keeps most traffic in its zone.
func (p *plan) leave() bool {
	var from *crew
	zone, most := Nowhere, uint64(0)
	for _, c := range p.crews {
		for _, z := range c.zones {
			if !c.free || len(c.members) == 0 || len(c.zones) == 1 || z == c.home {
				continue
			}
			if gain := p.stays(z, p.size[z]-1) - p.stays(z, p.size[z]); gain > most && p.canLeave(c, z) {
				from, zone, most = c, z, gain
			}
		}
	}
	if from != nil {
		p.move(from, slices.DeleteFunc(slices.Clone(from.zones), func(z int) bool { return z == zone }))
	}
	return from != nil
}

// canLeave reports whether all other endpoints of a zone stay within the limit if a member of the crew leaves it.
func (p *plan) canLeave(from *crew, zone int) bool {
	more, limit := p.part(zone, p.size[zone]-1)-p.part(zone, p.size[zone]), p.bound(p.Limit)
	return !slices.ContainsFunc(p.crews, func(c *crew) bool {
		return (c != from || len(c.members) > 1) && slices.Contains(c.zones, zone) && p.load(c)+more > limit
	})
}
