package routing

import (
	"cmp"
	"slices"

	"github.com/slicewright/slicewright/hints/internal/vote"
)

// Routes says which endpoints a reader sends traffic to. The lists have the endpoints of all families, in the order of the
// input. They are nil if empty, and the caller's own. All may be the same list as Cluster or Local, so append to a copy.
type Routes[E any] struct {
	// Cluster is for traffic whose policy is Cluster: of each family the ready endpoints in its Scope. If no endpoint of the
	// family is ready, it has those that serve while they terminate, wherever they are. nil if no policy is Cluster.
	Cluster []E
	// Local is for traffic whose policy is Local: of each family the ready endpoints of the reader's node. If the node has
	// none of the family, it has the endpoints of the node that serve while they terminate. Hints make no difference. nil if
	// no policy is Local.
	Local []E
	// All is Cluster and Local together, each endpoint once: the endpoints that the reader must be able to reach.
	All []E
	// Families says what was decided for each address type among the candidates, sorted by it. It is never empty: without
	// endpoints it has a row for the empty type. A row for the empty type beside others means that the caller left out
	// the type of some endpoints.
	Families []Family
}

// Route chooses the endpoints of one service port that a reader at a place sends traffic to, by the rules of kube-proxy
// (CategorizeEndpoints in its pkg/proxy/topology.go). Give it the endpoints of all slices of the Service that are left after
// filters for port and protocol, and after duplicates were removed (package dedup). If a slice or a filter is left out, Route
// decides wrongly: a missing hint in any slice counts, and an endpoint of another port does not (cilium#45214). Route needs no
// Service, because hints are obeyed wherever they are.
//
// Every rule is about the endpoints of one address type (Candidate.AddressType): families neither turn each other's hints off
// nor share a fall-back. Route over two families chooses what two calls choose, one for each.
//
//  1. If every ready endpoint has a hint for nodes, and one names the reader's node: the ready endpoints whose hint does.
//  2. Else, if every ready endpoint has a hint for zones, and one names the reader's zone: the ready endpoints whose hint
//     does.
//  3. Else, all ready endpoints.
//  4. If no endpoint is ready: the endpoints that serve while they terminate, whatever their hints are.
//
// With [Policy].PreferZone the ready endpoints of the reader's zone, if there are any, take the place of 1 and 2.
//
// endpoints may be nil or empty and is not changed. candidate is called once for each endpoint, in order;
// [CandidatesOf] makes one for endpoints of the API, and without one Route panics. Only the result is allocated.
func Route[E any](endpoints []E, candidate func(E) Candidate, at Location, policy Policy) Routes[E] {
	r := read(endpoints, candidate, vote.New(vote.Location(at), vote.Policy(policy)))
	defer r.release()
	routes := Routes[E]{Families: make([]Family, len(r.families))}
	for i := range r.families {
		routes.Families[i] = familyOf(&r.families[i])
	}
	slices.SortFunc(routes.Families, func(a, b Family) int { return cmp.Compare(a.AddressType, b.AddressType) })
	routes.Cluster = pick(endpoints, r, vote.ClusterList)
	if routes.All = routes.Cluster; !vote.Policy(policy).UsesLocal() {
		return routes
	}
	routes.Local = pick(endpoints, r, vote.LocalList)
	switch r.count(vote.AllList) {
	case len(routes.Cluster):
	case len(routes.Local):
		routes.All = routes.Local
	default:
		routes.All = pick(endpoints, r, vote.AllList)
	}
	return routes
}
