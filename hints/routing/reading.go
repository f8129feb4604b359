package routing

import (
	"slices"
	"sync"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints/internal/vote"
)

// reading is the roles of all endpoints and the votes of their families. Its memory is used again.
type reading struct {
	roles    []vote.Role // by endpoint
	runs     []run       // in the order of the endpoints
	families []vote.Vote // in the order of their first endpoints

	later map[discoveryv1.AddressType]int // the index of each but the first few
}

// run is endpoints of one family that follow each other, such as those of a slice: the family's index in families, the index
// of the first endpoint, and that after the last.
type run struct{ family, from, to int }

var readings = sync.Pool{New: func() any { return &reading{later: map[discoveryv1.AddressType]int{}} }}

// release drops what belongs to the caller, and keeps the memory for the next call.
func (r *reading) release() {
	clear(r.families)
	clear(r.later)
	r.roles, r.runs, r.families = r.roles[:0], r.runs[:0], r.families[:0]
	readings.Put(r)
}

// read asks for every endpoint's candidate and counts it in its family, whose vote begins as start. Without endpoints there is one
// family, the empty one.
func read[E any](endpoints []E, candidate func(E) Candidate, start vote.Vote) *reading {
	if candidate == nil {
		panic("routing: the candidate function is nil: give one that reads an endpoint, such as CandidatesOf returns")
	}
	r := readings.Get().(*reading)
	r.roles = slices.Grow(r.roles, len(endpoints))[:len(endpoints)]
	var v *vote.Vote
	for i := range endpoints {
		c := candidate(endpoints[i])
		if start.Policy.AnyFamily {
			c.AddressType = ""
		}
		if v == nil || v.Family != c.AddressType {
			family := r.familyOf(c.AddressType, &start)
			v = &r.families[family]
			if n := len(r.runs); n > 0 {
				r.runs[n-1].to = i
			}
			r.runs = append(r.runs, run{family, i, len(endpoints)})
		}
		r.roles[i] = v.Take((*vote.Candidate)(&c), i)
	}
	if v == nil {
		r.familyOf("", &start)
	}
	return r
}

// familyOf returns the index of a family, which may be new.
func (r *reading) familyOf(t discoveryv1.AddressType, start *vote.Vote) int {
	const few = 4 // Kubernetes has three
	for f := range r.families[:min(few, len(r.families))] {
		if r.families[f].Family == t {
			return f
		}
	}
	if f, ok := r.later[t]; ok {
		return f
	}
	v := *start
	v.Family = t
	if r.families = append(r.families, v); len(r.families) > few {
		r.later[t] = len(r.families) - 1
	}
	return len(r.families) - 1
}

// count counts the endpoints in a list of Routes.
func (r *reading) count(list int) (n int) {
	for _, run := range r.runs {
		asked := r.families[run.family].Lists[list]
		for _, role := range r.roles[run.from:run.to] {
			if role&asked != 0 {
				n++
			}
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
	for _, run := range r.runs {
		asked := r.families[run.family].Lists[list]
		for i, role := range r.roles[run.from:run.to] {
			if role&asked != 0 {
				picked = append(picked, endpoints[run.from+i])
			}
		}
	}
	return picked
}
