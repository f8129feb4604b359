package routing

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints/internal/vote"
)

// reading has the roles of all endpoints and the votes of their families.
type reading struct {
	roles    []vote.Role // by endpoint
	runs     []run       // in the order of the endpoints
	families []vote.Vote // in the order of their first endpoints
	used     []vote.Role // by family, filled in by Route: the roles of the endpoints that it chooses

	later map[discoveryv1.AddressType]int // the index of each family, except for the first few families
}

// few is the number of families that are found without a map. Kubernetes has three address types.
const few = 4

// run is a range of endpoints of one family, such as the endpoints of a slice. family is an index
// in reading.families. from is the index of the first endpoint, and to is the index after the last
// one.
type run struct{ family, from, to int }

// read makes the candidate of each endpoint and counts it in its family. Without endpoints there is
// one family, for the empty address type.
func read[E any](list []E, candidate func(E) Candidate, at Location, policy *Policy) *reading {
	if candidate == nil {
		panic("routing: the candidate function is nil: give one that reads an endpoint, such as CandidatesOf returns")
	}
	r := &reading{roles: make([]vote.Role, len(list))}
	start := vote.New(vote.Location(at), policy.vote())
	if policy.AnyFamily {
		candidates := make([]vote.Candidate, len(list))
		for i := range list {
			candidates[i] = vote.Candidate(candidate(list[i]))
		}
		r.takeTargets(candidates, &start, vote.Location(at))
		return r
	}
	var v *vote.Vote
	for i := range list {
		c := candidate(list[i])
		if v == nil || v.Family != c.AddressType {
			family := r.familyOf(c.AddressType, &start)
			v = &r.families[family]
			if n := len(r.runs); n > 0 {
				r.runs[n-1].to = i
			}
			r.runs = append(r.runs, run{family, i, len(list)})
		}
		r.roles[i] = v.Take((*vote.Candidate)(&c), i)
	}
	if v == nil {
		r.familyOf("", &start)
	}
	return r
}

// takeTargets counts one endpoint of each target. All of them are in one family.
func (r *reading) takeTargets(candidates []vote.Candidate, start *vote.Vote, at vote.Location) {
	vote.Hide(candidates, at, r.roles, map[vote.Target]int{})
	v := &r.families[r.familyOf("", start)]
	for i := range candidates {
		if r.roles[i] != vote.Hidden {
			r.roles[i] = v.Take(&candidates[i], i)
		}
	}
	r.runs = append(r.runs, run{0, 0, len(candidates)})
}

// familyOf returns the index of a family. It adds the family if it is new.
func (r *reading) familyOf(t discoveryv1.AddressType, start *vote.Vote) int {
	for f := range r.families[:min(few, len(r.families))] {
		if r.families[f].Family == t {
			return f
		}
	}
	if f, ok := r.later[t]; ok {
		return f
	}
	r.families = append(r.families, *start)
	last := len(r.families) - 1
	if r.families[last].Family = t; last >= few {
		if r.later == nil {
			r.later = map[discoveryv1.AddressType]int{}
		}
		r.later[t] = last
	}
	return last
}
