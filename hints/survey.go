package hints

import (
	"cmp"
	"slices"
	"sync"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints/internal/allocate"
)

// survey is what one walk over all endpoints finds: enough to decide whether hints are on and whether any slice must be opened.
// A call that changes nothing does no more than this. Its memory is used again.
type survey struct {
	zones
	in []Slice

	order    []int // the slices by name, equal names by position
	ready    int
	wasOn    bool     // a ready endpoint holds a zone hint
	homes    []int    // ready endpoints by zone
	zoneless []string // names of the ready endpoints without zone

	kinds []kind // of all endpoints, slice by slice
	start []int  // where each slice starts in kinds

	// frozen are the slices that can stay as they are, by name: they are clean, each ready endpoint has exactly one zone hint, to
	// a zone with a weight, and no node hint, and the others have none at all.
	frozen []int
	stays  []bool          // by slice: it is frozen, and stays so
	held   []allocate.Held // what the frozen slices hold
	shares []allocate.Share
	total  []int // what they hold together, by zone
	count  []int // scratch, by zone

	allocation
}

// kind is what the allocation sees of an endpoint: its own zone and the zone it is hinted to, each Nowhere if there is none with
// a weight, or that it is not ready. Kinds are in order of zones.
type kind int64

const notReady kind = -1

func kindOf(home, prior int) kind { return kind(home+1)<<32 | kind(prior+1) }
func (k kind) home() int          { return int(k>>32) - 1 }
func (k kind) prior() int         { return int(k&(1<<32-1)) - 1 }

var surveys = sync.Pool{New: func() any { return new(survey) }}

func newSurvey(w Weights, in []Slice) *survey {
	s := surveys.Get().(*survey)
	s.zones.read(w)
	s.in, s.ready, s.wasOn = in, 0, false
	s.order, s.kinds, s.shares = s.order[:0], s.kinds[:0], s.shares[:0]
	s.frozen, s.held = s.frozen[:0], s.held[:0]
	s.homes, s.total = zeros(s.homes, len(s.names)), zeros(s.total, len(s.names))
	s.start, s.stays = zeros(s.start, len(in)), zeros(s.stays, len(in))
	for i := range in {
		s.order = append(s.order, i)
	}
	slices.SortStableFunc(s.order, func(a, b int) int { return cmp.Compare(in[a].Name, in[b].Name) })
	s.count = zeros(s.count, len(s.names))
	for _, i := range s.order {
		s.walk(i, s.count)
	}
	return s
}

// release lets go of what belongs to the caller.
func (s *survey) release() {
	clear(s.names)
	clear(s.zoneless)
	s.in, s.zoneless = nil, s.zoneless[:0]
	surveys.Put(s)
}

// zeros returns n zeros, in the list's memory if there is room.
func zeros[T any](list []T, n int) []T {
	list = slices.Grow(list[:0], n)[:n]
	clear(list)
	return list
}

// walk reads slice i. count is scratch, all zero before and after.
func (s *survey) walk(i int, count []int) {
	s.start[i] = len(s.kinds)
	frozen, away, first := !s.in[i].Written, 0, len(s.shares)
	endpoints := s.in[i].Endpoints
	for k := range endpoints {
		e := &endpoints[k]
		if !ready(e) {
			frozen = frozen && unhinted(e.Hints)
			s.kinds = append(s.kinds, notReady)
			continue
		}
		home, prior := s.read(e)
		s.kinds = append(s.kinds, kindOf(home, prior))
		if prior == allocate.Nowhere {
			frozen = false
			continue
		}
		if count[prior]++; count[prior] == 1 {
			s.shares = append(s.shares, allocate.Share{Zone: prior})
		}
		if prior != home {
			away++
		}
	}
	shares := s.shares[first:len(s.shares):len(s.shares)]
	for k := range shares {
		z := shares[k].Zone
		shares[k].Count, count[z] = count[z], 0
		if frozen {
			s.total[z] += shares[k].Count
		}
	}
	if s.stays[i] = frozen; frozen {
		s.frozen = append(s.frozen, i)
		s.held = append(s.held, allocate.Held{Shares: shares, Away: away})
	}
}

// read counts a ready endpoint, and returns its own zone and the zone of a hint that can stay as it is: for exactly one zone,
// which has a weight, and for no node. All other hints must change wherever the endpoint goes.
func (s *survey) read(e *discoveryv1.Endpoint) (home, prior int) {
	s.ready++
	home, prior = allocate.Nowhere, allocate.Nowhere
	if e.Zone != nil {
		home = s.find(*e.Zone, allocate.Nowhere)
	}
	if home != allocate.Nowhere {
		s.homes[home]++
	} else if e.Zone == nil || *e.Zone == "" {
		s.zoneless = append(s.zoneless, endpointName(e))
	}
	if e.Hints != nil && len(e.Hints.ForZones) > 0 {
		s.wasOn = true
		if len(e.Hints.ForZones) == 1 && len(e.Hints.ForNodes) == 0 {
			prior = s.find(e.Hints.ForZones[0].Name, home)
		}
	}
	return home, prior
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
