package slicertest

import (
	"cmp"
	"maps"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/notation"
)

// This file has the guarantees on request that compare all writes between two quiet moments.

// start is the state when an event has happened, before the writer is called.
type start struct {
	slices []*discoveryv1.EndpointSlice
	wrote  int
	clean  bool // no fault is armed, no other client has written, and no slice is above the maximum
}

// before is called when an event has happened, before the writer is called.
func (r *replay) before() {
	clean := r.unarmed() && !r.excused && !r.behind && (r.cache.Current() || !r.kit.Can("LateCaches"))
	r.start = start{slices: r.own(), wrote: r.wrote, clean: clean}
	for _, s := range r.start.slices {
		r.start.clean = r.start.clean && len(s.Endpoints) <= r.most()
	}
}

// most returns the maximum number of endpoints in a slice.
func (r *replay) most() int { return cmp.Or(r.kit.MaxEndpointsPerSlice, 100) }

// judgeStep is called when all is quiet again.
func (r *replay) judgeStep() {
	if !r.start.clean {
		return
	}
	r.judgeMoves()
	r.judgeNumber()
	r.start.clean = false
}

// judgeMoves reports each endpoint that keeps its ports and moves to another slice.
func (r *replay) judgeMoves() {
	was, now := slicesOf(r.start.slices), slicesOf(r.own())
	for p, name := range was {
		if to := now[p]; to != "" && name != "" && to != name {
			r.log.Fail("no-moves", "%s moves from slice %s to %s", p, name, to)
		}
	}
}

// slicesOf maps each endpoint to the name of its slice. The name is empty if several slices have
// the endpoint.
func slicesOf(list []*discoveryv1.EndpointSlice) map[pair]string {
	at := map[pair]string{}
	for _, p := range places(list) {
		if _, twice := at[p.pair]; twice {
			at[p.pair] = ""
		} else {
			at[p.pair] = p.slice
		}
	}
	return at
}

// judgeNumber compares the number of writes with the number that is needed: one for each slice that
// had to change, and one for each new slice that is needed for endpoints that were in no slice.
func (r *replay) judgeNumber() {
	if !r.kit.Judges("fewest-writes") || isTopologyAware(r.cluster.service) || len(r.cluster.awaited()) > 0 {
		return
	}
	f := r.fresh()
	if !f.judgeable {
		return
	}
	should := map[string]bool{}
	labels := map[string]map[string]string{}
	unheld := map[string]int{}
	known, allowed := texts(r.start.slices, true), 0
	for _, s := range f.own() {
		labels[string(s.AddressType)] = judgedLabels(s)
		for text := range texts([]*discoveryv1.EndpointSlice{s}, true) {
			should[text] = true
			if !known[text] {
				unheld[groupOf(s)]++
			}
		}
		if len(s.Endpoints) == 0 {
			allowed++ // a placeholder
		}
	}
	seen := map[pair]bool{}
	for _, s := range r.start.slices {
		if mustChange(s, should, labels[string(s.AddressType)], seen) {
			allowed++
		}
	}
	for _, n := range unheld {
		allowed += (n + r.most() - 1) / r.most()
	}
	if wrote := r.wrote - r.start.wrote; wrote > allowed {
		r.log.Fail("fewest-writes", "%s where %d are enough", notation.Count(wrote, "write"), allowed)
	}
}

// mustChange reports whether a slice has wrong labels or no endpoints, or holds an endpoint that is
// not as it should be or that an earlier slice holds.
func mustChange(s *discoveryv1.EndpointSlice, should map[string]bool, labels map[string]string,
	seen map[pair]bool) bool {
	found := len(s.Endpoints) == 0 || labels == nil || !maps.Equal(labels, judgedLabels(s))
	for _, p := range places([]*discoveryv1.EndpointSlice{s}) {
		found = found || !should[p.text()] || seen[p.pair]
		seen[p.pair] = true
	}
	return found
}
