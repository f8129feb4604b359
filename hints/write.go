package hints

import (
	"cmp"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
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
			slices.SortStableFunc(order, func(a, b int) int { return compareEndpoints(&endpoints[a], &endpoints[b]) })
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

// compareEndpoints orders endpoints by what tells them apart: addresses, then what they belong to.
func compareEndpoints(a, b *discoveryv1.Endpoint) int {
	if d := slices.Compare(a.Addresses, b.Addresses); d != 0 {
		return d
	}
	return cmp.Or(
		compareText(a.Hostname, b.Hostname),
		compareText(a.NodeName, b.NodeName),
		compareTargets(a, b),
	)
}

func compareTargets(a, b *discoveryv1.Endpoint) int {
	x, y := a.TargetRef, b.TargetRef
	if x == nil || y == nil {
		return comparePresence(x != nil, y != nil)
	}
	return cmp.Or(cmp.Compare(x.Namespace, y.Namespace), cmp.Compare(x.Name, y.Name),
		cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.UID, y.UID))
}

func compareText(a, b *string) int {
	if a == nil || b == nil {
		return comparePresence(a != nil, b != nil)
	}
	return cmp.Compare(*a, *b)
}

func comparePresence(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}
