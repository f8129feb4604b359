package hinting

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/hinting/allocate"
	"github.com/slicewright/slicewright/internal/hinting/limit"
)

// limitSurvey decides PreferSameZone with a limit. It has the ready endpoints of all slices, and the
// zones that they serve.
type limitSurvey struct {
	in       []Slice
	names    []string // of the zones that have a weight or an endpoint, sorted
	number   map[string]int
	refused  []string // zones that cannot be hints; they are not part of the decision
	zoneless []string // names of the ready endpoints without a zone, or with a zone that cannot be a hint
	at       []place  // the positions of the ready endpoints
	limit.Allocator
}

// place is the position of an endpoint: its slice, and its index there.
type place struct{ slice, endpoint int }

// withLimit decides PreferSameZone with a limit. If no zone has a weight, it decides as without a
// limit.
func withLimit(o Options, in []Slice, change func(Change)) (d Decision) {
	s := newLimitSurvey(o, in)
	if !slices.ContainsFunc(s.Weights, func(w int64) bool { return w > 0 }) {
		d = separately(PreferSameZone, in, change)
		d.because("NoWeights", "no zone has a weight, so there is no limit", nil)
		return d
	}
	given, kept, ok := s.Decide(s.compare)
	d = Decision{On: ok, Zones: s.rows(given)}
	ready := readyEndpoints(len(s.at))
	if !ok {
		d.because("TooManyZones",
			fmt.Sprintf("some of %s would have to serve more than %d zones", ready, limit.MaxNames), nil)
		separately(None, in, change)
		return d
	}
	text := fmt.Sprintf("%s, none more than %d%% above the mean", ready, o.Limit)
	if kept {
		text = fmt.Sprintf("%s, kept as they are, none more than %d%% above the mean", ready, o.Limit+limit.Margin)
	}
	switch {
	case len(s.refused) > 0:
		d.because("InvalidName", text+"; names that cannot be hints: ", s.refused)
	case len(o.Weights.Missing) > 0:
		d.because("InsufficientNodeInfo", text+"; Nodes without zone or without allocatable CPU: ", o.Weights.Missing)
	case len(s.zoneless) > 0:
		d.because("NoZoneSpecified", text+"; ready endpoints without zone: ", s.zoneless)
	default:
		d.because("TopologyAwareHintsEnabled", text, nil)
	}
	s.changes(given, change)
	return d
}

func newLimitSurvey(o Options, in []Slice) *limitSurvey {
	s := &limitSurvey{in: in, number: map[string]int{"": allocate.Nowhere}, Allocator: limit.Allocator{Limit: o.Limit}}
	for zone := range o.Weights.Zones {
		s.number[zone] = allocate.Nowhere
	}
	for i := range in {
		for k := range in[i].Endpoints {
			if e := &in[i].Endpoints[k]; ready(e) {
				s.number[endpoint.Text(e.Zone)] = allocate.Nowhere
			}
		}
	}
	for zone := range s.number {
		if accept.RefuseZone(zone) == nil {
			s.names = append(s.names, zone)
		} else if zone != "" {
			s.refused = append(s.refused, zone)
		}
	}
	slices.Sort(s.names)
	s.Weights = make([]int64, len(s.names))
	for z, name := range s.names {
		s.number[name], s.Weights[z] = z, o.Weights.Zones[name]
	}
	for i := range in {
		s.read(i)
	}
	return s
}

// read adds the ready endpoints of a slice. They are free if the slice is Written, or if it must be
// written because one of its hints cannot stay.
func (s *limitSurvey) read(slice int) {
	free, before := s.in[slice].Written, len(s.at)
	for k := range s.in[slice].Endpoints {
		e := &s.in[slice].Endpoints[k]
		if !ready(e) {
			free = free || !Hint{}.Matches(e.Hints)
			continue
		}
		home := s.number[endpoint.Text(e.Zone)]
		if home == allocate.Nowhere {
			s.zoneless = append(s.zoneless, endpointName(e))
		}
		prior := s.prior(e, home)
		free = free || prior == nil
		s.at = append(s.at, place{slice, k})
		s.Home = append(s.Home, home)
		s.Prior = append(s.Prior, prior)
	}
	s.Free = append(s.Free, slices.Repeat([]bool{free}, len(s.at)-before)...)
	s.Later = append(s.Later, slices.Repeat([]bool{s.in[slice].Written}, len(s.at)-before)...)
}

// prior returns the zones of hints that can stay, sorted, or nil if the hints must change. Hints
// can stay if they are for the endpoint's own zone and for other zones with a weight, each once,
// and for no nodes.
func (s *limitSurvey) prior(e *discoveryv1.Endpoint, home int) (list []int) {
	if e.Hints == nil || len(e.Hints.ForNodes) > 0 || len(e.Hints.ForZones) > limit.MaxNames {
		return nil
	}
	for _, hint := range e.Hints.ForZones {
		z, known := s.number[hint.Name]
		if !known || z == allocate.Nowhere || s.Weights[z] == 0 && z != home || slices.Contains(list, z) {
			return nil
		}
		list = append(list, z)
	}
	if home != allocate.Nowhere && !slices.Contains(list, home) {
		return nil
	}
	slices.Sort(list)
	return list
}

// compare orders the ready endpoints by the names of their slices, then by content, so that the
// order of endpoints in the input makes no difference.
func (s *limitSurvey) compare(n, m int) int {
	a, b := s.at[n], s.at[m]
	x, y := &s.in[a.slice], &s.in[b.slice]
	content := endpoint.Compare(&x.Endpoints[a.endpoint], &y.Endpoints[b.endpoint])
	return cmp.Or(strings.Compare(x.Name, y.Name), a.slice-b.slice, content)
}

// changes calls a function for each endpoint whose hints must change, by slice and endpoint.
func (s *limitSurvey) changes(given [][]int, change func(Change)) {
	n := 0
	for i := range s.in {
		for k := range s.in[i].Endpoints {
			if e := &s.in[i].Endpoints[k]; !ready(e) {
				if !(Hint{}).Matches(e.Hints) {
					change(Change{i, k, nil})
				}
				continue
			}
			if n++; slices.Equal(given[n-1], s.Prior[n-1]) {
				continue
			}
			hints := &discoveryv1.EndpointHints{ForZones: make([]discoveryv1.ForZone, len(given[n-1]))}
			for at, z := range given[n-1] {
				hints.ForZones[at].Name = s.names[z]
			}
			change(Change{i, k, hints})
		}
	}
}

// rows returns the rows of the Decision. zones is the result of Decide, or nil if there is none.
func (s *limitSurvey) rows(zones [][]int) (rows []Zone) {
	ready, hinted := make([]int, len(s.names)), make([]int, len(s.names))
	for _, home := range s.Home {
		if home != allocate.Nowhere {
			ready[home]++
		}
	}
	for _, set := range zones {
		for _, z := range set {
			hinted[z]++
		}
	}
	for z, name := range s.names {
		if s.Weights[z] > 0 {
			rows = append(rows, Zone{Zone: name, Weight: s.Weights[z], Ready: ready[z], Hinted: hinted[z]})
		}
	}
	return rows
}
