package hints

import "sync"

// Routes is which endpoints a reader sends traffic to. The lists are in the order of the input, nil where empty, and
// the caller's own, but that All may be the same list as Cluster or Local: append to a copy.
type Routes[E any] struct {
	// Cluster is for traffic whose policy is Cluster: the ready endpoints in Scope; if there is no ready endpoint at
	// all, those that serve while they terminate, wherever they are (S19). nil if no policy is Cluster.
	Cluster []E
	// Local is for traffic whose policy is Local: the ready endpoints of the reader's node; if it has none, those of
	// the node that serve while they terminate. Hints do not count (S23). nil if no policy is Local.
	Local []E
	// All is Cluster and Local together, each endpoint once: all that the reader must know how to reach.
	All []E
	// Scope says which part of the ready endpoints Cluster is.
	Scope Scope
	// NodeHints and ZoneHints say why Scope is what it is: whether hints for nodes and for zones are obeyed, and if not,
	// why not.
	NodeHints, ZoneHints HintUse
	// NodeMissing and ZoneMissing are, for the reason HintMissing, the index of the first endpoint without a hint; else
	// -1.
	NodeMissing, ZoneMissing int
	// ClusterDraining and LocalDraining: the list is of endpoints that terminate, because none is ready.
	ClusterDraining, LocalDraining bool
	// Reachable: the service port has an endpoint somewhere, here or not. A reader refuses connections if it has none,
	// and drops them if it only has none here.
	Reachable bool
}

// Route chooses among the endpoints of ONE service port, over all its slices, those that a reader at a place sends
// traffic to, by the rules of kube-proxy. Give it what is left after filters for port, protocol and address family, and
// after duplicates were removed (package dedup), or it decides wrongly: a hint that is missing in another slice counts
// (S22), and an endpoint of another port does not (cilium#45214). It needs no Service: hints are obeyed where they are.
//
//  1. Only ready endpoints vote. If each has a hint for nodes, and one names the reader's node: those that do.
//  2. Else, if each has a hint for zones, and one names the reader's zone: those that do.
//  3. Else, all ready endpoints.
//  4. If no endpoint is ready: those that serve while they terminate, whatever their hints.
//
// endpoints may be nil or empty and is not changed. candidate is called once for each, in order, and must not be nil;
// it reads conditions, node and hints. Nothing is allocated but the result.
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
