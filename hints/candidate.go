package hints

import (
	"cmp"
	"slices"
	"sync"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
)

// Candidate is what Route and Failover must know of an endpoint.
type Candidate struct {
	// AddressType is that of the endpoint's slice. Route and Failover decide each address type apart, as kube-proxy does,
	// which runs once for IPv4 and once for IPv6. Any value is a family of its own, the empty one too.
	//
	// A reader that reaches one Pod by either family, such as a proxy for HTTP, may want one decision for all endpoints: it
	// leaves the type empty in every Candidate.
	AddressType discoveryv1.AddressType
	State       conditions.State
	// NoVote says that the hints of this endpoint, or their absence, make no difference to whether hints are obeyed. A
	// reader sets it if it knows more than the condition ready says: the endpoint fails health checks, or it has just
	// started and its hint has not arrived yet (cilium#45642, cilium#47960). The endpoint is routed to like any other.
	NoVote bool
	// NodeName and Zone are where the endpoint is, empty if not known. Only Failover reads the zone.
	NodeName, Zone string
	// ForZones and ForNodes are the endpoint's hints, in any order; nil and empty: none. They are only read.
	ForZones []discoveryv1.ForZone
	ForNodes []discoveryv1.ForNode
}

// CandidateOf reads an endpoint of a slice of the address type. nil conditions mean what the API says (package conditions);
// the lists share the endpoint's memory. A nil endpoint has no field but the type. CandidateOf allocates nothing.
func CandidateOf(t discoveryv1.AddressType, e *discoveryv1.Endpoint) (c Candidate) {
	c.AddressType = t
	if e == nil {
		return
	}
	c.State = conditions.Of(e.Conditions)
	if e.NodeName != nil {
		c.NodeName = *e.NodeName
	}
	if e.Zone != nil {
		c.Zone = *e.Zone
	}
	if e.Hints != nil {
		c.ForZones, c.ForNodes = e.Hints.ForZones, e.Hints.ForNodes
	}
	return
}

// Location is where a reader is.
type Location struct {
	NodeName string // empty: on no node, such as outside the cluster
	Zone     string // empty: not known
}

// reading is what Route and Failover find out about the endpoints. Its memory is used again.
type reading struct {
	list     []member // by endpoint
	families []vote   // in the order in which they are met
	order    []int    // the families by address type
}

// member is what one endpoint is to the reader.
type member struct {
	family int32
	role   role
}

var readings = sync.Pool{New: func() any { return new(reading) }}

// release lets go of what belongs to the caller.
func (r *reading) release() {
	clear(r.families)
	r.list, r.families, r.order = r.list[:0], r.families[:0], r.order[:0]
	readings.Put(r)
}

// read asks for every endpoint's candidate and counts it in its family. Where there is no endpoint there is one family, the
// empty one.
func read[E any](endpoints []E, candidate func(E) Candidate, start vote) *reading {
	r := readings.Get().(*reading)
	v, family := (*vote)(nil), 0
	for i := range endpoints {
		c := candidate(endpoints[i])
		if v == nil || v.family != c.AddressType {
			family = r.find(c.AddressType, i, &start)
			v = &r.families[family]
		}
		r.list = append(r.list, member{family: int32(family), role: v.take(&c, i)})
	}
	if v == nil {
		r.find("", 0, &start)
	}
	for f := range r.families {
		r.order = append(r.order, f)
	}
	slices.SortFunc(r.order, func(a, b int) int { return cmp.Compare(r.families[a].family, r.families[b].family) })
	return r
}

// find returns the number of a family. A new one is met at the endpoint with this index.
func (r *reading) find(t discoveryv1.AddressType, index int, start *vote) int {
	for f := range r.families {
		if r.families[f].family == t {
			return f
		}
	}
	v := *start
	v.family, v.first = t, index
	r.families = append(r.families, v)
	return len(r.families) - 1
}

// untyped returns the first endpoint without address type if others have one, else -1.
func (r *reading) untyped() int {
	if first := &r.families[r.order[0]]; len(r.families) > 1 && first.family == "" {
		return first.first
	}
	return -1
}
