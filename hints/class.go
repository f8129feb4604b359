package hints

import (
	"cmp"
	"slices"
)

// class is what the allocation sees of an endpoint: its own zone and the zone it is hinted to, each nowhere if it has
// none with a weight. Endpoints of one class are as good as each other.
type class struct{ home, prior int }

// hintedHome reports whether moving the endpoint changes a hint that is right.
func (c class) hintedHome() bool { return c.home == c.prior && c.home != nowhere }

// classes numbers the ready endpoints of some slices by class.
type classes struct {
	list  []class // sorted
	of    []int32 // the class of each endpoint of the slices, in their order; notReady where it does not count
	start []int   // where each slice starts in of; -1 where it was left out
}

const notReady = -1

// classify walks the slices that include accepts.
func (s *survey) classify(include func(slice int) bool) *classes {
	c := &classes{start: make([]int, len(s.in))}
	size := 0
	for i := range s.in {
		c.start[i] = -1
		if include(i) {
			c.start[i] = size
			size += len(s.in[i].Endpoints)
		}
	}
	c.of = make([]int32, size)
	ids := newClassIDs(len(s.names))
	for i, start := range c.start {
		if start < 0 {
			continue
		}
		endpoints := s.in[i].Endpoints
		for k := range endpoints {
			c.of[start+k] = notReady
			if e := &endpoints[k]; ready(e) {
				home := s.homeOf(e)
				id := ids.of(class{home, s.priorOf(e, home)})
				if *id == 0 {
					c.list = append(c.list, class{home, s.priorOf(e, home)})
					*id = int32(len(c.list))
				}
				c.of[start+k] = *id - 1
			}
		}
	}
	c.sort()
	return c
}

// classIDs has a number for each class, 0 for one that is new: in a table, or in a map where zones are so many that a table
// of their pairs would be mostly empty.
type classIDs struct {
	side  int // of the table
	table []int32
	rest  map[class]*int32
}

func newClassIDs(zones int) *classIDs {
	const most = 64
	if zones >= most {
		return &classIDs{rest: map[class]*int32{}}
	}
	side := zones + 1 // nowhere is a zone too
	return &classIDs{side: side, table: make([]int32, side*side)}
}

// of returns where the class has its number.
func (c *classIDs) of(of class) *int32 {
	if c.rest == nil {
		return &c.table[(of.home-nowhere)*c.side+of.prior-nowhere]
	}
	id := c.rest[of]
	if id == nil {
		id = new(int32)
		c.rest[of] = id
	}
	return id
}

// sort renumbers the classes in order of zone, so that nothing depends on the order of endpoints.
func (c *classes) sort() {
	byZone := make([]int32, len(c.list))
	for i := range byZone {
		byZone[i] = int32(i)
	}
	slices.SortFunc(byZone, func(a, b int32) int {
		return cmp.Or(cmp.Compare(c.list[a].home, c.list[b].home), cmp.Compare(c.list[a].prior, c.list[b].prior))
	})
	list, rank := make([]class, len(c.list)), make([]int32, len(c.list))
	for i, id := range byZone {
		list[i], rank[id] = c.list[id], int32(i)
	}
	c.list = list
	for i, id := range c.of {
		if id != notReady {
			c.of[i] = rank[id]
		}
	}
}

// count adds the slice's endpoints to counts by class.
func (c *classes) count(in []Slice, slice int, counts []int) {
	for _, id := range c.slice(in, slice) {
		if id != notReady {
			counts[id]++
		}
	}
}

// slice returns the classes of a slice's endpoints.
func (c *classes) slice(in []Slice, slice int) []int32 {
	start := c.start[slice]
	return c.of[start : start+len(in[slice].Endpoints)]
}
