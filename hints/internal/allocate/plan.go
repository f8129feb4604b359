package allocate

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// plan says how many endpoints serve which zones.
type plan struct {
	*Sharing
	groups  []group
	numbers map[string]int // the index of each group by its key; nil until the map is needed
	size    []int          // by zone: the number of endpoints that serve it
	*room                  // nil while there are few groups; the method track sets it
}

// group is the endpoints of one zone that serve the same zones, and are either all free or all not
// free. The zones of a free endpoint may change at no cost (see Sharing.Free).
type group struct {
	home  int
	zones []int // sorted; groups share this memory, so it is never changed
	free  bool
	count int
	// lastLoad is the load that was last computed for the group, if plan.room is not nil. The
	// current load is never higher.
	lastLoad uint64
}

// mayServe reports whether the group has an endpoint that may serve one more zone.
func (c *group) mayServe() bool { return c.count > 0 && c.free && len(c.zones) < MaxNames }

// newPlan returns a plan in which each endpoint serves the given zones. Endpoints that are free may
// serve more.
func (s *Sharing) newPlan(zones [][]int, free []bool) *plan {
	p := &plan{Sharing: s, size: make([]int, len(s.Weights))}
	for e, home := range s.Home {
		p.add(group{home: home, zones: zones[e], free: free[e]})
		for _, z := range zones[e] {
			p.size[z]++
		}
	}
	slices.SortFunc(p.groups, func(a, b group) int {
		return cmp.Or(cmp.Compare(a.home, b.home), slices.Compare(b.zones, a.zones))
	})
	p.numbers = nil
	return p
}

// few is the largest number of groups that are searched one after the other. For so few groups,
// this costs less than a map and a tree.
const few = 32

// find returns the index of the group that has the same home, zones and free as c, and whether
// there is such a group.
func (p *plan) find(c group) (number int, found bool) {
	if len(p.groups) <= few {
		for i := range p.groups {
			other := &p.groups[i]
			if other.home == c.home && other.free == c.free && slices.Equal(other.zones, c.zones) {
				return i, true
			}
		}
		return none, false
	}
	if p.numbers == nil {
		p.numbers = make(map[string]int, 2*few)
		for i, other := range p.groups {
			p.numbers[string(other.key(nil))] = i
		}
	}
	var buffer [64]byte
	number, found = p.numbers[string(c.key(buffer[:0]))]
	return number, found
}

// key appends the identity of a group to the buffer.
func (c group) key(buffer []byte) []byte {
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

// add counts an endpoint in its group, and returns the index of the group.
func (p *plan) add(c group) int {
	i, found := p.find(c)
	if !found {
		i, p.groups = len(p.groups), append(p.groups, c)
		if p.numbers != nil {
			p.numbers[string(c.key(nil))] = i
		}
	}
	p.groups[i].count++
	return i
}

// load returns the traffic of each endpoint of a group. An empty group never has more load than the
// busiest group, because the endpoints that left it serve all its zones and others.
func (p *plan) load(c group) (sum uint64) {
	for _, z := range c.zones {
		sum += p.part(z, p.size[z])
	}
	return sum
}

// within reports whether each zone is served, and no endpoint carries more than a percentage above
// the mean.
func (p *plan) within(percent int) bool {
	most := p.bound(percent)
	return p.unserved() == nil && !slices.ContainsFunc(p.groups, func(c group) bool { return p.load(c) > most })
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
// endpoint carries more than the limit. It returns false if this is not possible. Each step looks
// at the busiest endpoint, and at the zone that is the largest part of its load. The free endpoint
// with the lowest load then serves this zone, too.
func (p *plan) widen() bool {
	if p.within(p.Limit) {
		return true
	}
	for _, z := range p.largestFirst(p.unserved(), p.size) {
		if !p.join(z) { // no free endpoint may serve one more zone, so the zone stays without endpoints
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

// join lets the free endpoint with the lowest load serve one more zone, and reports whether there
// is such an endpoint.
func (p *plan) join(zone int) bool {
	i, found := p.roomiest(zone)
	if !found || p.Weights[zone] == 0 {
		return false
	}
	p.groups[i].count--
	p.size[zone]++
	joined := p.add(group{home: p.groups[i].home, zones: with(p.groups[i].zones, zone), free: true})
	switch {
	case p.room != nil:
		p.look(i)
		p.look(joined)
		p.refresh(zone)
	case len(p.groups) > few:
		p.track()
	}
	return true
}

// with returns the zones and one more, in order.
func with(zones []int, zone int) []int {
	at, _ := slices.BinarySearch(zones, zone)
	return slices.Insert(slices.Clone(zones), at, zone)
}
