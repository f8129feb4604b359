package hints

import (
	"slices"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// write gives every endpoint of the classes' slices its zone, in order of slice and, where a slice gets only part of a
// share, of the endpoints' content, and calls set for each.
func (c *classes) write(s *survey, dealt [][]share, set func(slice, endpoint, zone int)) {
	within := make([]int, len(c.list))
	var order []int
	for _, i := range s.order {
		if c.start[i] < 0 {
			continue
		}
		endpoints, ids := s.in[i].Endpoints, c.slice(s.in, i)
		order = order[:0]
		for k := range ids {
			order = append(order, k)
		}
		if splits(ids, within, dealt) {
			slices.SortStableFunc(order, func(a, b int) int { return endpoint.Compare(&endpoints[a], &endpoints[b]) })
		}
		for _, k := range order {
			id := ids[k]
			if id == notReady {
				continue
			}
			set(i, k, dealt[id][0].zone)
			if dealt[id][0].count--; dealt[id][0].count == 0 {
				dealt[id] = dealt[id][1:]
			}
		}
	}
}

// splits reports whether the endpoints of some class in a slice need more than its first share, so that it counts which
// of them comes first. within is scratch, all zero before and after.
func splits(ids []int32, within []int, dealt [][]share) bool {
	split := false
	for _, id := range ids {
		if id != notReady {
			within[id]++
			split = split || within[id] > dealt[id][0].count
		}
	}
	for _, id := range ids {
		if id != notReady {
			within[id] = 0
		}
	}
	return split
}
