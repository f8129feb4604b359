package routing

import (
	"cmp"
	"slices"

	"github.com/slicewright/slicewright/hints/internal/vote"
)

// Routes has the endpoints that a reader sends traffic to, and the decision about each family.
type Routes[E any] struct {
	// Endpoints has the endpoints of all families, in the order of the input. It is nil if there
	// are none. The list belongs to the caller.
	Endpoints []E
	// Families has the decision about each address type among the candidates, sorted by address
	// type. It is never empty: without endpoints it has one row, for the empty type. An empty type
	// beside other rows means that the caller did not set the type of some candidates.
	Families []Family
}

// Route returns the endpoints of one service port to which a reader at a place sends traffic. With
// the zero Policy it follows the rules of kube-proxy (CategorizeEndpoints in its
// pkg/proxy/topology.go).
//
// Pass the endpoints of all slices of the Service, after duplicates were removed (package dedup).
// Filter by port, protocol and anything else that splits traffic before calling Route, never after:
// one ready endpoint without a hint turns hints off for all endpoints of its address type, and an
// endpoint of another port must not turn them off (cilium#45214).
//
// Each address type is decided separately. The families do not turn each other's hints off, and do
// not share a fallback. A family uses the first of these groups that has endpoints:
//
//  1. The ready endpoints with a hint for the reader's node, if each ready endpoint has a hint for
//     nodes.
//  2. The ready endpoints with a hint for the reader's zone, if each ready endpoint has a hint for
//     zones.
//  3. All ready endpoints.
//  4. The endpoints that serve while they terminate, whatever their hints are.
//  5. With Policy.LastResort, the endpoints that are neither ready nor terminating.
//
// A Policy replaces some of these groups:
//
//   - With Policy.Near, groups 1 and 2 are replaced by one group for each place in Near: the ready
//     endpoints of the reader's node, then of its zone, then of its region.
//   - With Policy.Local, groups 1 to 3 are the ready endpoints on the reader's node. Groups 4 and 5
//     have only endpoints on that node.
//
// list may be nil and is not changed. candidate is called once for each endpoint, in order;
// [CandidatesOf] returns such a function for endpoints of the API. If candidate is nil, Route
// panics. Only the result is allocated.
func Route[E any](list []E, candidate func(E) Candidate, at Location, policy Policy) Routes[E] {
	r := read(list, candidate, at, &policy)
	routes := Routes[E]{Families: make([]Family, len(r.families))}
	for i := range r.families {
		d := r.families[i].Decide()
		routes.Families[i] = familyOf(&r.families[i], &d)
		r.used = append(r.used, d.Used())
	}
	if len(routes.Families) > 1 {
		slices.SortFunc(routes.Families, func(a, b Family) int { return cmp.Compare(a.AddressType, b.AddressType) })
	}
	routes.Endpoints = pick(list, r)
	return routes
}

// pick returns the endpoints that the decisions of their families use (r.used), or nil if there are
// none.
func pick[E any](list []E, r *reading) []E {
	n := 0
	for _, part := range r.runs {
		n += count(r.roles[part.from:part.to], r.used[part.family])
	}
	if n == 0 {
		return nil
	}
	picked := make([]E, 0, n)
	for _, part := range r.runs {
		used := r.used[part.family]
		for i, role := range r.roles[part.from:part.to] {
			if role&used != 0 {
				picked = append(picked, list[part.from+i])
			}
		}
	}
	return picked
}

// count returns how many elements of roles have at least one of the wanted roles.
func count(roles []vote.Role, wanted vote.Role) (n int) {
	for _, role := range roles {
		if role&wanted != 0 {
			n++
		}
	}
	return n
}
