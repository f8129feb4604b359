package hints

import (
	"cmp"
	"slices"

	"github.com/slicewright/slicewright/hints/internal/allocate"
	"github.com/slicewright/slicewright/internal/endpoint"
)

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
	s.zoneOf, s.within = zeros(s.zoneOf, len(s.kinds)), zeros(s.within, len(s.classes))
	give := func(zone *int32) {
		class := *zone
		next := &dealt[class][0]
		*zone = int32(next.Zone)
		if next.Count--; next.Count == 0 {
			dealt[class] = dealt[class][1:]
		}
		s.within[class]--
	}
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
		s.members = s.members[:0]
		for k, kind := range kinds {
			switch class := zoneOf[k]; {
			case kind == notReady:
			case s.within[class] > dealt[class][0].Count:
				s.members = append(s.members, k)
			default:
				give(&zoneOf[k])
			}
		}
		slices.SortFunc(s.members, func(a, b int) int { return cmp.Or(endpoint.Compare(&endpoints[a], &endpoints[b]), a-b) })
		for _, k := range s.members {
			give(&zoneOf[k])
		}
	}
}

// changes compares the zones with the hints that the endpoints have.
func (s *survey) changes() []Change {
	for i := range s.in {
		if s.stays[i] {
			continue
		}
		for k, kind := range s.kindsOf(i) {
			change := Change{Slice: i, Endpoint: k}
			if kind != notReady {
				change.Hint.Zone = s.names[s.zoneOf[s.start[i]+k]]
			}
			if !change.Hint.Matches(s.in[i].Endpoints[k].Hints) {
				s.changed = append(s.changed, change)
			}
		}
	}
	return append([]Change(nil), s.changed...) // nil for none
}
