package hints

import (
	"cmp"
	"slices"
	"sync"

	discoveryv1 "k8s.io/api/discovery/v1"
)

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
			family = r.familyOf(c.AddressType, i, &start)
			v = &r.families[family]
		}
		r.list = append(r.list, member{family: int32(family), role: v.take(&c, i)})
	}
	if v == nil {
		r.familyOf("", 0, &start)
	}
	for f := range r.families {
		r.order = append(r.order, f)
	}
	slices.SortFunc(r.order, func(a, b int) int { return cmp.Compare(r.families[a].family, r.families[b].family) })
	return r
}

// familyOf returns the number of a family. A new one is met at the endpoint with this index.
func (r *reading) familyOf(t discoveryv1.AddressType, index int, start *vote) int {
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

// count counts the endpoints in a list of Routes.
func (r *reading) count(list int) (n int) {
	for _, m := range r.list {
		if m.role&r.families[m.family].lists[list] != 0 {
			n++
		}
	}
	return n
}

// pick returns the endpoints in a list of Routes; nil for none.
func pick[E any](endpoints []E, r *reading, list int) []E {
	n := r.count(list)
	if n == 0 {
		return nil
	}
	picked := make([]E, 0, n)
	for i, m := range r.list {
		if m.role&r.families[m.family].lists[list] != 0 {
			picked = append(picked, endpoints[i])
		}
	}
	return picked
}
