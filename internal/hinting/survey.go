package hinting

import (
	"cmp"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/hinting/allocate"
)

// survey is the result of one walk over all endpoints. It is enough to decide whether hints are on,
// and whether a slice must be rewritten for its hints. A call that changes nothing needs only the
// survey.
type survey struct {
	zones
	in []Slice

	order    []int // the slices by name, equal names by position
	ready    int
	wasOn    bool     // a ready endpoint has a zone hint
	local    []int    // by zone: the number of ready endpoints in it
	zoneless []string // names of the ready endpoints without a zone

	kinds []zonePair // of all endpoints, slice by slice
	start []int      // where each slice starts in kinds

	// frozen are the slices that can stay as they are, sorted by name. Such a slice is unchanged.
	// Each of its ready endpoints has exactly one zone hint, for a zone with a weight, and no node
	// hint. Its other endpoints have no hint.
	frozen []int
	stays  []bool          // by slice: it is frozen and need not be rewritten for its hints
	held   []allocate.Held // by frozen slice: its endpoints by the zone of their hints
	// total counts endpoints by the zone of their hint. At first it counts the endpoints in slices
	// that stay. After the allocation it counts the endpoints in all slices.
	total []int

	// zoneOf has the same indexes as kinds: first the class of each endpoint in slices that do not
	// stay, which assignZones then replaces by its zone.
	zoneOf  []int32
	classes []allocate.Class
	changed int // the number of ready endpoints whose hint must change
}

// member is an endpoint that is sorted by its content. Most endpoints differ in their address, so
// the address is parsed once for all comparisons: ip is the endpoint's only address if that is an
// IPv4 address, and 0 otherwise.
type member struct {
	at int32 // its index in the slice
	ip uint32
}

// zonePair is everything that the allocation must know about an endpoint: its own zone and the zone
// of its hint. Either zone is Nowhere if there is none, or if it has no weight.
type zonePair struct{ home, prior int32 }

// notReady is the zonePair of an endpoint that is not ready.
var notReady = zonePair{allocate.Nowhere - 1, allocate.Nowhere - 1}

// compare orders by the own zone, then by the zone of the hint.
func (z zonePair) compare(other zonePair) int {
	if z.home != other.home {
		return cmp.Compare(z.home, other.home)
	}
	return cmp.Compare(z.prior, other.prior)
}

// kindsOf returns the kinds of a slice's endpoints.
func (s *survey) kindsOf(slice int) []zonePair {
	return s.kinds[s.start[slice]:][:len(s.in[slice].Endpoints)]
}

func newSurvey(w Weights, in []Slice) *survey {
	s := &survey{zones: newZones(w), in: in}
	endpoints := 0
	for i := range in {
		endpoints += len(in[i].Endpoints)
	}
	// The lists of numbers share one allocation: most calls are for few endpoints.
	numbers := make([]int, 3*len(in)+2*len(s.names))
	cut := func(n int) (list []int) {
		list, numbers = numbers[:n:n], numbers[n:]
		return list
	}
	s.order, s.start, s.frozen = cut(len(in)), cut(len(in)), cut(len(in))[:0]
	s.local, s.total = cut(len(s.names)), cut(len(s.names))
	s.kinds, s.stays = make([]zonePair, 0, endpoints), make([]bool, len(in))
	for i := range in {
		s.order[i] = i
	}
	slices.SortStableFunc(s.order, func(a, b int) int { return cmp.Compare(in[a].Name, in[b].Name) })
	for _, i := range s.order {
		s.walk(i)
	}
	return s
}

// walk counts the endpoints of slice i.
func (s *survey) walk(i int) {
	s.start[i] = len(s.kinds)
	frozen, endpoints := !s.in[i].Written, s.in[i].Endpoints
	for k := range endpoints {
		e := &endpoints[k]
		if !ready(e) {
			frozen = frozen && Hint{}.Matches(e.Hints)
			s.kinds = append(s.kinds, notReady)
			continue
		}
		home, prior := s.read(e)
		frozen = frozen && prior != allocate.Nowhere
		s.kinds = append(s.kinds, zonePair{int32(home), int32(prior)})
	}
	if s.stays[i] = frozen; frozen {
		s.frozen = append(s.frozen, i)
		s.held = append(s.held, s.hold(i))
	}
}

// hold counts the endpoints of frozen slice i by the zone of their hints.
func (s *survey) hold(i int) (h allocate.Held) {
	for _, kind := range s.kindsOf(i) {
		if kind == notReady {
			continue
		}
		z := int(kind.prior)
		if kind.prior != kind.home {
			h.Away++
		}
		at := slices.IndexFunc(h.Counts, func(c allocate.ZoneCount) bool { return c.Zone == z })
		if at < 0 {
			at = len(h.Counts)
			h.Counts = append(h.Counts, allocate.ZoneCount{Zone: z})
		}
		h.Counts[at].Count++
		s.total[z]++
	}
	return h
}

// read counts a ready endpoint, and returns its own zone and the zone of its hint. A hint can stay
// if it names exactly one zone, this zone has a weight, and the hint names no node. If there is no
// such hint, prior is Nowhere.
func (s *survey) read(e *discoveryv1.Endpoint) (home, prior int) {
	s.ready++
	home, prior = allocate.Nowhere, allocate.Nowhere
	if zone := endpoint.Text(e.Zone); zone == "" {
		s.zoneless = append(s.zoneless, endpointName(e))
	} else if home = s.find(zone, allocate.Nowhere); home != allocate.Nowhere {
		s.local[home]++
	}
	if e.Hints != nil && len(e.Hints.ForZones) > 0 {
		s.wasOn = true
		if len(e.Hints.ForZones) == 1 && len(e.Hints.ForNodes) == 0 {
			prior = s.find(e.Hints.ForZones[0].Name, home)
		}
	}
	return home, prior
}

// endpointName returns the name of an endpoint in a Decision: its first address, else the name of
// its target.
func endpointName(e *discoveryv1.Endpoint) string {
	if len(e.Addresses) > 0 {
		return e.Addresses[0]
	}
	return endpoint.TargetOf(e).Name
}
