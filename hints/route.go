package hints

import "sync"

// Routes says which endpoints a reader sends traffic to. The lists are in the order of the input, nil if empty, and the
// caller's own. All may be the same list as Cluster or Local, so append to a copy.
type Routes[E any] struct {
	// Cluster is for traffic whose policy is Cluster: the ready endpoints in Scope. If no endpoint is ready, it has the
	// endpoints that serve while they terminate, wherever they are. nil if no policy is Cluster.
	Cluster []E
	// Local is for traffic whose policy is Local: the ready endpoints of the reader's node. If the node has none, it has
	// the endpoints of the node that serve while they terminate. Hints make no difference. nil if no policy is Local.
	Local []E
	// All is Cluster and Local together, each endpoint once: the endpoints that the reader must be able to reach.
	All []E
	// Scope says which part of the ready endpoints Cluster is.
	Scope Scope
	// NodeHints and ZoneHints say why Scope is what it is: whether hints for nodes and for zones are obeyed, and if not,
	// why not.
	NodeHints, ZoneHints HintUse
	// NodeMissing and ZoneMissing are the index of the first endpoint without a hint if NodeHints or ZoneHints is
	// HintMissing, else -1.
	NodeMissing, ZoneMissing int
	// ClusterDraining and LocalDraining report that the list has endpoints that terminate, because none is ready.
	ClusterDraining, LocalDraining bool
	// Reachable reports that the service port has an endpoint, on whatever node. A reader refuses connections if there is
	// none, and drops them if there is none that it may use.
	Reachable bool
}

// Route chooses the endpoints of one service port that a reader at a place sends traffic to, by the rules of kube-proxy.
// Give it the endpoints of all slices of the Service that are left after filters for port, protocol and address family, and
// after duplicates were removed (package dedup). If a slice or a filter is left out, Route decides wrongly: a missing hint in
// any slice counts, and an endpoint of another port does not (cilium#45214). Route needs no Service, because hints are
// obeyed wherever they are.
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
	scratch := roleLists.Get().(*[]role)
	v := newVote(at, policy)
	list := readRoles((*scratch)[:0], endpoints, candidate, &v)
	routes := Routes[E]{Reachable: v.ready+v.draining > 0}
	routes.NodeHints, routes.ZoneHints, routes.NodeMissing, routes.ZoneMissing = v.uses()
	cluster, local := v.cluster(routes.NodeHints, routes.ZoneHints), v.local()
	routes.Scope = scopeOf(policy, cluster.roles)
	routes.ClusterDraining, routes.LocalDraining = cluster.roles&isDraining != 0, local.roles&isDraining != 0
	routes.Cluster = choose(endpoints, list, cluster.roles, cluster.roles, cluster.count)
	routes.Local = choose(endpoints, list, local.roles, local.roles, local.count)
	switch n := either(list, cluster, local); n {
	case cluster.count:
		routes.All = routes.Cluster
	case local.count:
		routes.All = routes.Local
	default:
		routes.All = choose(endpoints, list, cluster.roles, local.roles, n)
	}
	*scratch = list
	roleLists.Put(scratch)
	return routes
}

// roleLists keeps scratch memory: one byte for each endpoint.
var roleLists = sync.Pool{New: func() any { return new([]role) }}

// either counts the endpoints of two choices, each once.
func either(list []role, a, b choice) int {
	if a.count == 0 || b.count == 0 {
		return a.count + b.count
	}
	n := 0
	for _, r := range list {
		if r.plays(a.roles) || r.plays(b.roles) {
			n++
		}
	}
	return n
}

// choose returns the n endpoints that have all roles of one or all of the other; nil for none.
func choose[E any](endpoints []E, list []role, one, other role, n int) []E {
	switch n {
	case 0:
		return nil
	case len(endpoints):
		return append(make([]E, 0, n), endpoints...)
	}
	chosen := make([]E, 0, n)
	for i, r := range list {
		if r.plays(one) || r.plays(other) {
			chosen = append(chosen, endpoints[i])
		}
	}
	return chosen
}
