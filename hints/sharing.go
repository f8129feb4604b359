package hints

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints/internal/allocate"
	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// sharing is the mode SameZone with a limit: the ready endpoints, and the zones that they serve.
type sharing struct {
	in       []Slice
	names    []string // of the zones that have a weight or an endpoint, sorted
	number   map[string]int
	refused  []string // zones that cannot be hints: they have no part in the decision
	zoneless []string // names of the ready endpoints without zone, or with one that cannot be a hint
	at       []place  // of the ready endpoints
	allocate.Sharing
}

// place is an endpoint's: its slice, and its position there.
type place struct{ slice, endpoint int }

// shared decides SameZone with a limit.
func shared(o Options, in []Slice) ([]Change, Decision) {
	s := newSharing(o, in)
	d := Decision{Mode: SameZone, On: true, Reason: Allocated, Ready: len(s.at), Zoneless: len(s.zoneless), Threshold: o.Limit}
	var names []string
	switch {
	case len(s.refused) > 0:
		d.Reason, names = InvalidName, s.refused
	case len(o.Weights.Problems) > 0:
		d.Reason, names = o.Weights.problem()
	case len(s.zoneless) > 0:
		d.Reason, names = EndpointWithoutZone, s.zoneless
	}
	zones := s.Prior
	switch d.Held = len(s.at) == 0 || s.Keeps(); {
	case !slices.ContainsFunc(s.Weights, func(w int64) bool { return w > 0 }):
		d.On, d.Reason, names = false, NoWeights, nil
	case !d.Held:
		s.sort()
		if zones, d.On = s.Decide(); !d.On {
			d.Reason, names = TooManyZones, nil
		}
	}
	if d.Names, d.More = firstNames(names); !d.On {
		d.Held = false
		changes, off := own(None, in)
		d.Opened = off.Opened
		return changes, d
	}
	changes := s.changes(zones)
	d.Opened, d.Zones = opened(in, changes), s.rows(zones)
	return changes, d
}

func newSharing(o Options, in []Slice) *sharing {
	s := &sharing{in: in, number: map[string]int{}, Sharing: allocate.Sharing{Limit: o.Limit}}
	know := func(zone string) {
		if _, known := s.number[zone]; !known {
			if s.number[zone] = allocate.Nowhere; accept.RefuseZone(zone) == nil {
				s.names = append(s.names, zone)
			} else {
				s.refused = append(s.refused, zone)
			}
		}
	}
	for zone := range o.Weights.Zones {
		know(zone)
	}
	for i := range in {
		for k := range in[i].Endpoints {
			if e := &in[i].Endpoints[k]; ready(e) {
				s.at = append(s.at, place{i, k})
				if zone := endpoint.Text(e.Zone); zone != "" {
					know(zone)
				}
			}
		}
	}
	slices.Sort(s.names)
	s.Weights = make([]int64, len(s.names))
	for z, name := range s.names {
		s.number[name], s.Weights[z] = z, o.Weights.Zones[name]
	}
	s.read()
	return s
}

// read fills in what the ready endpoints are, in the order of at.
func (s *sharing) read() {
	s.Home, s.Prior, s.Free, s.zoneless = make([]int, len(s.at)), make([][]int, len(s.at)), make([]bool, len(s.at)), s.zoneless[:0]
	written := make([]bool, len(s.in))
	for i := range s.in { // a hint that must go costs a write
		written[i] = s.in[i].Written || slices.ContainsFunc(s.in[i].Endpoints, func(e discoveryv1.Endpoint) bool { return !ready(&e) && !Hint{}.Matches(e.Hints) })
	}
	for n, at := range s.at {
		e := &s.in[at.slice].Endpoints[at.endpoint]
		home, known := s.number[endpoint.Text(e.Zone)]
		if s.Home[n] = home; !known || home == allocate.Nowhere {
			s.Home[n], s.zoneless = allocate.Nowhere, append(s.zoneless, endpointName(e))
		}
		if s.Prior[n] = s.prior(e, s.Home[n]); s.Prior[n] == nil {
			written[at.slice] = true
		}
	}
	for n, at := range s.at {
		s.Free[n] = written[at.slice]
	}
}

// prior returns the zones of hints that can stay, sorted: its own zone among others with a weight, each once, and no nodes. nil: the
// hints must change.
func (s *sharing) prior(e *discoveryv1.Endpoint, home int) []int {
	if e.Hints == nil || len(e.Hints.ForNodes) > 0 || len(e.Hints.ForZones) == 0 || len(e.Hints.ForZones) > allocate.MaxNames {
		return nil
	}
	zones := make([]int, 0, len(e.Hints.ForZones))
	for _, hint := range e.Hints.ForZones {
		z, known := s.number[hint.Name]
		if !known || z == allocate.Nowhere || s.Weights[z] == 0 && z != home || slices.Contains(zones, z) {
			return nil
		}
		zones = append(zones, z)
	}
	if home != allocate.Nowhere && !slices.Contains(zones, home) {
		return nil
	}
	slices.Sort(zones)
	return zones
}

// sort puts the ready endpoints in an order that does not depend on that of the input: by the names of their slices, then by content.
func (s *sharing) sort() {
	slices.SortStableFunc(s.at, func(a, b place) int {
		if a.slice != b.slice {
			return cmp.Or(strings.Compare(s.in[a.slice].Name, s.in[b.slice].Name), a.slice-b.slice)
		}
		endpoints := s.in[a.slice].Endpoints
		return endpoint.Compare(&endpoints[a.endpoint], &endpoints[b.endpoint])
	})
	s.read()
}

// changes lists the hints that must change, by slice and endpoint.
func (s *sharing) changes(zones [][]int) (changes []Change) {
	for n, at := range s.at {
		if s.Prior[n] == nil || !slices.Equal(zones[n], s.Prior[n]) {
			names := make([]string, len(zones[n]))
			for k, z := range zones[n] {
				names[k] = s.names[z]
			}
			changes = append(changes, Change{Slice: at.slice, Endpoint: at.endpoint, Hint: Hint{Zone: strings.Join(names, zoneSeparator)}})
		}
	}
	for i := range s.in {
		for k := range s.in[i].Endpoints {
			if e := &s.in[i].Endpoints[k]; !ready(e) && !(Hint{}).Matches(e.Hints) {
				changes = append(changes, Change{Slice: i, Endpoint: k})
			}
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Or(a.Slice-b.Slice, a.Endpoint-b.Endpoint) })
	return changes
}

// rows makes the rows of the decision: the zones with a weight.
func (s *sharing) rows(zones [][]int) (rows []Zone) {
	over := s.Overloads(zones)
	for z, name := range s.names {
		if s.Weights[z] == 0 {
			continue
		}
		row := Zone{Name: name, Weight: s.Weights[z], Overload: Overload(over[z])}
		for n, set := range zones {
			if s.Home[n] == z {
				row.Homes++
			}
			if slices.Contains(set, z) {
				row.Hinted++
			}
		}
		if len(zones) > 0 {
			row.Minimum = s.Minimum(z)
		}
		rows = append(rows, row)
	}
	return rows
}

// sharingNeedsSync is NeedsSync for SameZone with a limit. An endpoint's load grows at most as much as the share of one of its zones.
func sharingNeedsSync(d Decision, o Options) bool {
	z, was, is, worst := newSharing(o, nil), int64(0), int64(0), int64(0)
	if !d.On || d.Threshold == 0 || o.Limit == 0 {
		return o.Limit == 0 || d.Reason != NoWeights || len(z.names) > 0
	}
	if len(d.Zones) != len(z.names) {
		return true
	}
	for _, row := range d.Zones {
		was, worst = was+row.Weight, max(worst, 10000+int64(row.Overload))
		is += o.Weights.Zones[row.Name]
	}
	product := func(a, b, c int64) *big.Int {
		p := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
		return p.Mul(p, big.NewInt(c))
	}
	limit := int64(100 * (100 + o.Limit + allocate.Margin))
	return slices.ContainsFunc(d.Zones, func(row Zone) bool {
		weight := o.Weights.Zones[row.Name]
		return weight == 0 || d.Ready > 0 && product(worst, weight, was).Cmp(product(limit, row.Weight, is)) > 0
	})
}
