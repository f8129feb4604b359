package hints

import (
	"cmp"
	"slices"

	"github.com/slicewright/slicewright/hints/internal/allocate"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// allocation is how the endpoints of the slices that are written get their zones. Its memory is used again.
type allocation struct {
	sorted  []kind           // the kinds of the ready endpoints, each once
	classes []allocate.Class // in the same order
	zoneOf  []int32          // of each endpoint, as kinds
	within  []int            // of a slice, how many endpoints are of each class
	members []int            // of a slice, the endpoints whose order counts
	changed []Change
}

// open takes slices, given by their places among the frozen ones, out of what stays.
func (s *survey) open(places []int) {
	for _, p := range places {
		s.stays[s.frozen[p]] = false
		for _, share := range s.held[p].Shares {
			s.total[share.Zone] -= share.Count
		}
	}
}

// allocate decides the zone of every ready endpoint that does not stay as it is, adds up what every zone gets in total, and
// returns what changes.
func (s *survey) allocate(low, high []int) []Change {
	if s.classify(); len(s.classes) > 0 {
		dealt := allocate.Deal(&s.weights, s.classes, allocate.Bounds{Held: s.total, Low: low, High: high})
		for _, shares := range dealt {
			for _, share := range shares {
				s.total[share.Zone] += share.Count
			}
		}
		s.zoneOf = zeros(s.zoneOf, len(s.kinds))
		s.place(dealt)
	}
	return s.changes()
}

// kindsOf returns the kinds of a slice's endpoints.
func (s *survey) kindsOf(slice int) []kind {
	return s.kinds[s.start[slice]:][:len(s.in[slice].Endpoints)]
}

// classify counts the kinds of ready endpoints in slices that do not stay.
func (s *survey) classify() {
	s.sorted, s.classes = s.sorted[:0], s.classes[:0]
	for i := range s.in {
		if !s.stays[i] {
			s.sorted = append(s.sorted, s.kindsOf(i)...)
		}
	}
	slices.Sort(s.sorted)
	for _, k := range s.sorted {
		if n := len(s.classes); n > 0 && s.sorted[n-1] == k {
			s.classes[n-1].Count++
		} else if k != notReady {
			s.sorted[n] = k // n is not beyond the kind at hand
			s.classes = append(s.classes, allocate.Class{Home: k.home(), Prior: k.prior(), Count: 1})
		}
	}
	s.sorted = s.sorted[:len(s.classes)]
}

// place gives every endpoint its zone, in order of slice and, if a slice gets only part of a share, of the endpoints' content.
func (s *survey) place(dealt [][]allocate.Share) {
	give := func(zone *int32, class int32) {
		next := &dealt[class][0]
		*zone = int32(next.Zone)
		if next.Count--; next.Count == 0 {
			dealt[class] = dealt[class][1:]
		}
	}
	s.within = zeros(s.within, len(s.classes))
	for _, i := range s.order {
		if s.stays[i] {
			continue
		}
		endpoints, kinds, zoneOf := s.in[i].Endpoints, s.kindsOf(i), s.zoneOf[s.start[i]:]
		for k, kind := range kinds {
			if kind != notReady {
				class, _ := slices.BinarySearch(s.sorted, kind)
				zoneOf[k] = int32(class)
				s.within[class]++
			}
		}
		const split = -1
		for class, n := range s.within {
			if n > 0 && n > dealt[class][0].Count {
				s.within[class] = split
			}
		}
		s.members = s.members[:0]
		for k, kind := range kinds {
			switch {
			case kind == notReady:
			case s.within[zoneOf[k]] == split:
				s.members = append(s.members, k)
			default:
				give(&zoneOf[k], zoneOf[k])
			}
		}
		slices.SortFunc(s.members, func(a, b int) int { return cmp.Or(endpoint.Compare(&endpoints[a], &endpoints[b]), a-b) })
		for _, k := range s.members {
			give(&zoneOf[k], zoneOf[k])
		}
		clear(s.within)
	}
}

// changes compares the zones with the hints that the endpoints have.
func (s *survey) changes() (list []Change) {
	for i := range s.in {
		if s.stays[i] {
			continue
		}
		for k, kind := range s.kindsOf(i) {
			change := Change{Slice: i, Endpoint: k}
			if kind == notReady {
				if unhinted(s.in[i].Endpoints[k].Hints) {
					continue
				}
			} else if z := int(s.zoneOf[s.start[i]+k]); z == kind.prior() {
				continue
			} else {
				change.Hint.Zone = s.names[z]
			}
			s.changed = append(s.changed, change)
		}
	}
	if len(s.changed) > 0 {
		list = slices.Clone(s.changed)
		clear(s.changed)
		s.changed = s.changed[:0]
	}
	return list
}
