package hints

import (
	"cmp"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// survey is what one walk over all endpoints finds: enough to decide whether hints are on and whether any slice must be
// opened. A call that changes nothing does no more than this.
type survey struct {
	shares
	zones zoneIndex
	in    []Slice

	order    []int // the slices by name
	ready    int
	wasOn    bool     // a ready endpoint holds a zone hint
	homes    []int    // ready endpoints by zone
	zoneless nameList // names of the ready endpoints without zone
	frozen   []int    // hints in frozen slices by zone

	tallies []tally // by slice
	entries []entry // of all tallies
}

// tally is what a slice's ready endpoints are hinted to now.
type tally struct {
	// frozen says that the slice can stay as it is: it is clean, each ready endpoint has exactly one zone hint, to a zone
	// with a weight, and no node hint, and the others have none at all.
	frozen   bool
	from, to int // entries
	away     int // ready endpoints that are hinted to another zone than their own
}

type entry struct{ zone, count int }

func newSurvey(w Weights, in []Slice) *survey {
	s := &survey{shares: newShares(w), in: in}
	s.zones = newZoneIndex(s.names)
	s.order = byName(in)
	s.homes = make([]int, len(s.names))
	s.frozen = make([]int, len(s.names))
	s.tallies = make([]tally, len(in))
	s.entries = make([]entry, 0, len(in)*min(len(s.names), scanLimit))
	counts := make([]int, len(s.names))
	for i := range in {
		s.walk(i, counts)
	}
	return s
}

// byName returns the positions of the slices sorted by name, equal names by position.
func byName(in []Slice) []int {
	order := make([]int, len(in))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(in[a].Name, in[b].Name) })
	return order
}

// walk reads slice i. counts is scratch, all zero before and after.
func (s *survey) walk(i int, counts []int) {
	t := tally{frozen: !s.in[i].Written, from: len(s.entries)}
	endpoints := s.in[i].Endpoints
	for k := range endpoints {
		e := &endpoints[k]
		if !ready(e) {
			t.frozen = t.frozen && unhinted(e.Hints)
			continue
		}
		s.ready++
		home := s.homeOf(e)
		if home != nowhere {
			s.homes[home]++
		} else if e.Zone == nil || *e.Zone == "" {
			s.zoneless.add(endpointName(e))
		}
		s.wasOn = s.wasOn || (e.Hints != nil && len(e.Hints.ForZones) > 0)
		prior := s.priorOf(e, home)
		if prior == nowhere {
			t.frozen = false
			continue
		}
		if counts[prior] == 0 {
			s.entries = append(s.entries, entry{zone: prior})
		}
		counts[prior]++
		if prior != home {
			t.away++
		}
	}
	t.to = len(s.entries)
	for k := t.from; k < t.to; k++ {
		e := &s.entries[k]
		e.count, counts[e.zone] = counts[e.zone], 0
		if t.frozen {
			s.frozen[e.zone] += e.count
		}
	}
	s.tallies[i] = t
}

// homeOf returns the endpoint's own zone.
func (s *survey) homeOf(e *discoveryv1.Endpoint) int {
	if e.Zone == nil {
		return nowhere
	}
	return s.zones.find(*e.Zone, nowhere)
}

// priorOf returns the zone of a hint that can stay as it is: for exactly one zone, which has a weight, and for no node. It
// returns nowhere for all other hints, because they must change wherever the endpoint goes. Most endpoints are hinted home.
func (s *survey) priorOf(e *discoveryv1.Endpoint, home int) int {
	if e.Hints == nil || len(e.Hints.ForZones) != 1 || len(e.Hints.ForNodes) > 0 {
		return nowhere
	}
	return s.zones.find(e.Hints.ForZones[0].Name, home)
}

// of returns a slice's tally as counts by zone.
func (s *survey) of(slice int) []entry {
	t := &s.tallies[slice]
	return s.entries[t.from:t.to]
}

// unhinted reports whether there is no hint.
func unhinted(h *discoveryv1.EndpointHints) bool {
	return h == nil || (len(h.ForZones) == 0 && len(h.ForNodes) == 0)
}

// endpointName is how a Decision names an endpoint.
func endpointName(e *discoveryv1.Endpoint) string {
	switch {
	case len(e.Addresses) > 0:
		return e.Addresses[0]
	case e.TargetRef != nil:
		return e.TargetRef.Name
	default:
		return ""
	}
}
