package hinting

import (
	"cmp"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/hinting/allocate"
)

// open marks slices of the list frozen as slices to rewrite. positions are their indexes in frozen.
func (s *survey) open(positions []int) {
	for _, n := range positions {
		s.stays[s.frozen[n]] = false
		for _, count := range s.held[n].Counts {
			s.total[count.Zone] -= count.Count
		}
	}
}

// allocate decides the zone of each ready endpoint in the slices that do not stay as they are.
// Afterwards s.total has, by zone, the number of endpoints in all slices that have a hint for it,
// and s.changed is the number of ready endpoints whose hint must change.
func (s *survey) allocate(low, high []int) {
	s.classify()
	if len(s.classes) == 0 {
		return
	}
	dealt := allocate.Deal(&s.weights, s.classes, allocate.Bounds{Held: s.total, Low: low, High: high})
	for class, counts := range dealt {
		for _, count := range counts {
			if s.total[count.Zone] += count.Count; count.Zone != s.classes[class].Prior {
				s.changed += count.Count
			}
		}
	}
	s.assignZones(dealt)
}

// classify makes a class of each zonePair that ready endpoints have in the slices that do not stay
// as they are. The Count of a class is the number of these endpoints. For each of them, s.zoneOf
// then has the index of its class.
func (s *survey) classify() {
	// Neighboring endpoints of a slice tend to have the same few zonePairs. A zonePair is not
	// appended if it is among the last elements of the list. So the list is short when it is sorted
	// below.
	const recent = 8
	pairs := make([]zonePair, 0, 16)
	s.eachReady(func(_ int, k zonePair) {
		if !slices.Contains(pairs[max(0, len(pairs)-recent):], k) {
			pairs = append(pairs, k)
		}
	})
	slices.SortFunc(pairs, zonePair.compare)
	pairs = slices.Compact(pairs)
	s.classes, s.zoneOf = make([]allocate.Class, 0, len(pairs)), make([]int32, len(s.kinds))
	for _, k := range pairs {
		s.classes = append(s.classes, allocate.Class{Home: int(k.home), Prior: int(k.prior)})
	}
	s.eachReady(func(at int, k zonePair) {
		class, _ := slices.BinarySearchFunc(pairs, k, zonePair.compare)
		s.zoneOf[at] = int32(class)
		s.classes[class].Count++
	})
}

// eachReady calls do for each ready endpoint in the slices that do not stay as they are. at is the
// endpoint's index in kinds.
func (s *survey) eachReady(do func(at int, k zonePair)) {
	for i, start := range s.start {
		if !s.stays[i] {
			for k, kind := range s.kindsOf(i) {
				if kind != notReady {
					do(start+k, kind)
				}
			}
		}
	}
}

// assignZones gives the endpoints of each class the zones that were dealt to the class, slice by
// slice in s.order. If the next zone is for only some of the endpoints that a slice has of a class,
// these are sorted by content, and the first ones get it.
func (s *survey) assignZones(dealt [][]allocate.ZoneCount) {
	within := make([]int, len(s.classes)) // the endpoints of the current slice that have no zone yet
	var members []member                  // the endpoints of the current slice that must be sorted
	give := func(zone *int32) {           // replaces the class of an endpoint by its zone
		class := *zone
		next := &dealt[class][0]
		*zone = int32(next.Zone)
		if next.Count--; next.Count == 0 {
			dealt[class] = dealt[class][1:]
		}
		within[class]--
	}
	for _, i := range s.order {
		if s.stays[i] {
			continue
		}
		endpoints, kinds := s.in[i].Endpoints, s.kindsOf(i)
		zoneOf := s.zoneOf[s.start[i]:]
		for k, kind := range kinds {
			if kind != notReady {
				within[zoneOf[k]]++
			}
		}
		members = members[:0]
		for k, kind := range kinds {
			switch class := zoneOf[k]; {
			case kind == notReady:
			case within[class] > dealt[class][0].Count:
				// The count of the next zone is too small for all endpoints of the class in this
				// slice. Their positions in the input must not decide which of them get this zone,
				// so they are sorted by content first.
				if members == nil {
					members = make([]member, 0, len(endpoints))
				}
				members = append(members, member{int32(k), endpoint.OnlyIPv4(&endpoints[k])})
			default:
				give(&zoneOf[k])
			}
		}
		sortMembers(members, endpoints)
		for _, m := range members {
			give(&zoneOf[m.at])
		}
	}
}

// sortMembers sorts members by content. endpoints are the endpoints of their slice.
func sortMembers(members []member, endpoints []discoveryv1.Endpoint) {
	slices.SortFunc(members, func(a, b member) int {
		if a.ip != b.ip && a.ip != 0 && b.ip != 0 {
			return cmp.Compare(a.ip, b.ip)
		}
		return cmp.Or(endpoint.Compare(&endpoints[a.at], &endpoints[b.at]), int(a.at-b.at))
	})
}

// changes calls a function for each endpoint whose hints must change.
func (s *survey) changes(change func(Change)) {
	made := make([]oneZone, s.changed) // one allocation for the hints of all changes
	for i := range s.in {
		if s.stays[i] {
			continue
		}
		for k, kind := range s.kindsOf(i) {
			if kind == notReady {
				if !(Hint{}).Matches(s.in[i].Endpoints[k].Hints) {
					change(Change{i, k, nil})
				}
			} else if z := s.zoneOf[s.start[i]+k]; z != kind.prior {
				change(Change{i, k, made[0].setZone(s.names[z])})
				made = made[1:]
			}
		}
	}
}
