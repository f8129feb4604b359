package allocate

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// plan is how many endpoints serve which zones.
type plan struct {
	*Sharing
	groups  []group
	numbers map[string]int // of groups, by their key; nil until it is needed
	size    []int          // by zone: endpoints that serve it
	*room                  // nil until track: while there are few groups
}

// group is the endpoints of one zone that serve the same zones, and are all free or all not free.
type group struct {
	home  int
	zones []int // in order; shared by groups, never changed
	free  bool
	count int
	// lastLoad is the load when it was last computed, while groups are tracked. The current load is
	// never higher.
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

// few is the number of groups up to which they are searched one after the other. That costs less
// than a map and a tree.
const few = 32

// find returns the number of the group with the home, zones and freedom of c, and whether there is
// one.
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

// add counts an endpoint in its group, and returns the number of the group.
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

// load is the traffic of each member of a group. A group that has lost all members has no more load
// than the busiest group, because these members now serve the same zones and others.
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
// endpoint carries more than the limit. The busiest endpoint is relieved of the zone that is the
// largest part of its load: the endpoint with most room serves it, too.
func (p *plan) widen() bool {
	if p.within(p.Limit) {
		return true
	}
	for _, z := range p.largestFirst(p.unserved(), p.size) {
		if !p.join(z) { // no free endpoint may serve one zone more, so no other zone can be served
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
