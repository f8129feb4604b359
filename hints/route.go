package hints

import discoveryv1 "k8s.io/api/discovery/v1"

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
	// endpoints it has a row for the empty type.
	Families []Family
	// Untyped is the index of the first endpoint whose candidate has no AddressType, if others have one: a mistake of the
	// caller. Else it is -1.
	Untyped int
}

// Family is what Route decided for the endpoints of one address type.
type Family struct {
	AddressType discoveryv1.AddressType
	// Scope says which part of the ready endpoints is in Routes.Cluster.
	Scope Scope
	// NodeHints and ZoneHints say why Scope is what it is: whether hints for nodes and for zones are obeyed, and if not,
	// why not.
	NodeHints, ZoneHints HintUse
	// NodeMissing and ZoneMissing are the index of the first endpoint without a hint if NodeHints or ZoneHints is
	// HintMissing, else -1.
	NodeMissing, ZoneMissing int
	// LocalDraining reports that the family's endpoints in Routes.Local terminate, because none of the node is ready. Those
	// in Routes.Cluster terminate if Scope is ScopeDraining.
	LocalDraining bool
	// Reachable reports that the service port has an endpoint of the family, on whatever node. A reader refuses connections
	// if there is none, and drops them if there is none that it may use.
	Reachable bool
}

// Route chooses the endpoints of one service port that a reader at a place sends traffic to, by the rules of kube-proxy.
// Give it the endpoints of all slices of the Service that are left after filters for port and protocol, and after duplicates
// were removed (package dedup). If a slice or a filter is left out, Route decides wrongly: a missing hint in any slice counts,
// and an endpoint of another port does not (cilium#45214). Route needs no Service, because hints are obeyed wherever they are.
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
// endpoints may be nil or empty and is not changed. candidate is called once for each endpoint, in order, and must not be
// nil; [CandidateOf] is one for endpoints of the API. Only the result is allocated.
func Route[E any](endpoints []E, candidate func(E) Candidate, at Location, policy Policy) Routes[E] {
	r := read(endpoints, candidate, newVote(at, policy))
	defer r.release()
	routes := Routes[E]{Families: make([]Family, len(r.families)), Untyped: r.untyped()}
	for i, f := range r.order {
		routes.Families[i] = r.families[f].decide()
	}
	cluster, local := r.count(clusterList), r.count(localList)
	routes.Cluster = pick(endpoints, r, clusterList, cluster)
	routes.Local = pick(endpoints, r, localList, local)
	switch {
	case local == 0:
		routes.All = routes.Cluster
	case cluster == 0:
		routes.All = routes.Local
	default:
		routes.All = routes.Cluster
		if all := r.count(allList); all > cluster {
			routes.All = pick(endpoints, r, allList, all)
		}
	}
	return routes
}

// The lists of Routes.
const (
	clusterList = iota
	localList
	allList
	listCount
)

// count counts the endpoints in a list.
func (r *reading) count(list int) (n int) {
	any := role(0)
	for f := range r.families {
		any |= r.families[f].lists[list]
	}
	if any == 0 {
		return 0
	}
	for _, m := range r.list {
		if m.role&r.families[m.family].lists[list] != 0 {
			n++
		}
	}
	return n
}

// pick returns the n endpoints in a list; nil for none.
func pick[E any](endpoints []E, r *reading, list, n int) []E {
	switch n {
	case 0:
		return nil
	case len(endpoints):
		return append(make([]E, 0, n), endpoints...)
	}
	picked := make([]E, 0, n)
	for i, m := range r.list {
		if m.role&r.families[m.family].lists[list] != 0 {
			picked = append(picked, endpoints[i])
		}
	}
	return picked
}
