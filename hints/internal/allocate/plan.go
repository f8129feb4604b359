package allocate

import (
	"cmp"
	"slices"
)

// plan is how many endpoints serve which zones.
type plan struct {
	*Sharing
	crews []crew
	size  []int // by zone: endpoints that serve it
}

// crew is endpoints that serve the same zones and are in the same one.
type crew struct {
	home  int
	zones []int // in order; shared by crews, never changed
	free  bool
	count int
}

// newPlan lets each endpoint serve zones; those that are free may serve more.
func (s *Sharing) newPlan(zones [][]int, free []bool) *plan {
	p := &plan{Sharing: s, size: make([]int, len(s.Weights))}
	for e, home := range s.Home {
		p.add(crew{home, zones[e], free[e], 1})
	}
	slices.SortFunc(p.crews, func(a, b crew) int { return cmp.Or(cmp.Compare(a.home, b.home), slices.Compare(b.zones, a.zones)) })
	return p
}

// window is how many crews are looked at to find one that is alike, and how many there may be before earlier hints are replaced as a
// whole. What this package decides has far fewer.
const window = 512

// add counts an endpoint in its crew.
func (p *plan) add(one crew) {
	for _, z := range one.zones {
		p.size[z]++
	}
	latest := p.crews[max(0, len(p.crews)-window):]
	for i, c := range latest {
		if c.home == one.home && c.free == one.free && slices.Equal(c.zones, one.zones) {
			latest[i].count++
			return
		}
	}
	p.crews = append(p.crews, one)
}

// load is what each member of a crew carries. A crew that all have left has no more load than the busiest one, because they serve the
// same zones and others.
func (p *plan) load(c crew) (sum uint64) {
	for _, z := range c.zones {
		sum += p.part(z, p.size[z])
	}
	return sum
}

// needy returns the zones one of which must have one more endpoint, so that no endpoint carries more than a percentage above the mean:
// those that none serves, or else those of the busiest endpoint. nil: none.
func (p *plan) needy(percent int) (zones []int) {
	for z, w := range p.Weights {
		if w > 0 && p.size[z] == 0 {
			zones = append(zones, z)
		}
	}
	if zones != nil {
		return zones
	}
	most := p.bound(percent)
	for _, c := range p.crews {
		if load := p.load(c); load > most {
			zones, most = c.zones, load
		}
	}
	return zones
}

// widen lets free endpoints serve more zones, one at a time, until no endpoint carries more than the limit: the endpoint with most room
// serves the zone that is the largest part of the busiest one's load.
func (p *plan) widen() bool {
	zones := p.needy(p.Limit)
	for zones != nil && slices.ContainsFunc(p.largestFirst(slices.Clone(zones), p.size), p.join) {
		zones = p.needy(p.Limit)
	}
	return zones == nil
}

// join lets the free endpoint with most room serve a zone.
func (p *plan) join(zone int) bool {
	best := -1
	for i, c := range p.crews {
		may := c.count > 0 && c.free && p.Weights[zone] > 0 && !slices.Contains(c.zones, zone) && len(c.zones) < MaxNames
		if may && (best < 0 || p.load(c) < p.load(p.crews[best])) {
			best = i
		}
	}
	if best < 0 {
		return false
	}
	c := p.crews[best]
	p.crews[best].count--
	for _, z := range c.zones {
		p.size[z]--
	}
	p.add(crew{c.home, with(c.zones, zone), true, 1})
	return true
}

// with returns the zones and one more, in order.
func with(zones []int, zone int) []int {
	at, _ := slices.BinarySearch(zones, zone)
	return slices.Insert(slices.Clone(zones), at, zone)
}

// assign returns the zones of every endpoint: those that it serves already, if the plan has them for one in its zone. Of endpoints that
// cannot all keep theirs, the free ones change. It uses up the plan.
func (p *plan) assign() [][]int {
	zones := make([][]int, len(p.Home))
	for pass := range 3 {
		for _, e := range p.order {
			i := slices.IndexFunc(p.crews, func(c crew) bool {
				return zones[e] == nil && c.count > 0 && c.home == p.Home[e] && (pass == 2 || p.Free[e] == (pass == 1) && slices.Equal(c.zones, p.Prior[e]))
			})
			if i >= 0 {
				zones[e] = p.crews[i].zones
				p.crews[i].count--
			}
		}
	}
	return zones
}
