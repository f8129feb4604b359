package allocate

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// plan is how many endpoints serve which zones.
type plan struct {
	*Sharing
	crews   []crew
	numbers map[string]int // of crews, by their key; nil until it is needed
	size    []int          // by zone: endpoints that serve it
	*room                  // nil until track: while there are few crews
}

// crew is endpoints that serve the same zones and are in the same one.
type crew struct {
	home  int
	zones []int // in order; shared by crews, never changed
	free  bool
	count int
	known uint64 // while tracked: the load when it was looked at last, which is never below the load now
}

// mayServe reports whether the crew has an endpoint that may serve one more zone.
func (c *crew) mayServe() bool { return c.count > 0 && c.free && len(c.zones) < MaxNames }

// newPlan lets each endpoint serve zones; those that are free may serve more.
func (s *Sharing) newPlan(zones [][]int, free []bool) *plan {
	p := &plan{Sharing: s, size: make([]int, len(s.Weights))}
	for e, home := range s.Home {
		p.add(crew{home: home, zones: zones[e], free: free[e]})
		for _, z := range zones[e] {
			p.size[z]++
		}
	}
	slices.SortFunc(p.crews, func(a, b crew) int {
		return cmp.Or(cmp.Compare(a.home, b.home), slices.Compare(b.zones, a.zones))
	})
	p.numbers = nil
	return p
}

// few is how many crews are searched one after the other. That costs less than a map and a tree.
const few = 32

// find returns the number of the crew with the home, zones and freedom of c, and whether there is
// one.
func (p *plan) find(c crew) (number int, found bool) {
	if len(p.crews) <= few {
		for i := range p.crews {
			other := &p.crews[i]
			if other.home == c.home && other.free == c.free && slices.Equal(other.zones, c.zones) {
				return i, true
			}
		}
		return none, false
	}
	if p.numbers == nil {
		p.numbers = make(map[string]int, 2*few)
		for i, other := range p.crews {
			p.numbers[string(other.key(nil))] = i
		}
	}
	var buffer [64]byte
	number, found = p.numbers[string(c.key(buffer[:0]))]
	return number, found
}

// key identifies a crew. It is appended to the buffer.
func (c crew) key(buffer []byte) []byte {
	free := byte(0)
	if c.free {
		free = 1
	}
	buffer = append(binary.AppendVarint(buffer, int64(c.home)), free)
	for _, z := range c.zones {
		buffer = binary.AppendUvarint(buffer, uint64(z))
	}
	return buffer
}

// add counts an endpoint in its crew, and returns the number of the crew.
func (p *plan) add(c crew) int {
	i, found := p.find(c)
	if !found {
		i, p.crews = len(p.crews), append(p.crews, c)
		if p.numbers != nil {
			p.numbers[string(c.key(nil))] = i
		}
	}
	p.crews[i].count++
	return i
}

// load is what each member of a crew carries. A crew that all have left has no more load than the busiest one, because they serve the
// same zones and others.
func (p *plan) load(c crew) (sum uint64) {
	for _, z := range c.zones {
		sum += p.part(z, p.size[z])
	}
	return sum
}

// within reports whether each zone is served, and no endpoint carries more than a percentage above
// the mean.
func (p *plan) within(percent int) bool {
	most := p.bound(percent)
	return p.unserved() == nil && !slices.ContainsFunc(p.crews, func(c crew) bool { return p.load(c) > most })
}

// unserved returns the zones with a weight that no endpoint serves.
func (p *plan) unserved() (zones []int) {
	for z, w := range p.Weights {
		if w > 0 && p.size[z] == 0 {
			zones = append(zones, z)
		}
	}
	return zones
}

// widen lets free endpoints serve more zones, one at a time, until each zone is served and no
// endpoint carries more than the limit: the endpoint with most room serves the zone that is the
// largest part of the busiest one's load.
func (p *plan) widen() bool {
	if p.within(p.Limit) {
		return true
	}
	for _, z := range p.largestFirst(p.unserved(), p.size) {
		if !p.join(z) { // then no free endpoint may serve any other zone
			return false
		}
	}
	for most := p.bound(p.Limit); ; {
		c, found := p.busiest(most)
		if !found {
			return true
		}
		if !slices.ContainsFunc(p.largestFirst(slices.Clone(c.zones), p.size), p.join) {
			return false
		}
	}
}

// join lets the free endpoint with most room serve a zone.
func (p *plan) join(zone int) bool {
	i, found := p.roomiest(zone)
	if !found || p.Weights[zone] == 0 {
		return false
	}
	p.crews[i].count--
	p.size[zone]++
	joined := p.add(crew{home: p.crews[i].home, zones: with(p.crews[i].zones, zone), free: true})
	switch {
	case p.room != nil:
		p.look(i)
		p.look(joined)
		p.refresh(zone)
	case len(p.crews) > few:
		p.track()
	}
	return true
}

// with returns the zones and one more, in order.
func with(zones []int, zone int) []int {
	at, _ := slices.BinarySearch(zones, zone)
	return slices.Insert(slices.Clone(zones), at, zone)
}
