package slicertest

import (
	"cmp"
	"maps"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/notation"
)

// The guarantees of the stricter grade that look at all writes from one quiet moment to the next.

// start is what a writer finds when something has happened.
type start struct {
	slices []*discoveryv1.EndpointSlice
	wrote  int
	clean  bool // no fault and no other people are at work, and no slice is above the maximum, which must be split
}

// before is called when something has happened, before the writer sees it.
func (r *replay) before() {
	r.start = start{slices: r.own(), wrote: r.wrote, clean: r.unarmed() && !r.excused && !r.behind}
	for _, s := range r.start.slices {
		r.start.clean = r.start.clean && len(s.Endpoints) <= r.most()
	}
}

// most is how many endpoints a slice may have.
func (r *replay) most() int { return cmp.Or(r.kit.Max, 100) }

// judgeStep is called when all is quiet again.
func (r *replay) judgeStep() {
	if !r.start.clean {
		return
	}
	r.judgeMoves()
	r.judgeNumber()
	r.start.clean = false
}

// judgeMoves blames a writer for each endpoint that keeps its ports and changes its slice.
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

// judgeNumber counts the slices that had to be written: those that said something else than they
// should, and enough new ones for endpoints that were in none.
func (r *replay) judgeNumber() {
	if !r.kit.Judges("fewest-writes") || isTopologyAware(r.world.service) {
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

// mustChange reports whether a slice says what it should not, or what another slice says already.
func mustChange(
	s *discoveryv1.EndpointSlice, should map[string]bool, labels map[string]string, seen map[pair]bool,
) bool {
	found := len(s.Endpoints) == 0 || labels == nil || !maps.Equal(labels, judgedLabels(s))
	for _, p := range places([]*discoveryv1.EndpointSlice{s}) {
		found = found || !should[p.text()] || seen[p.pair]
		seen[p.pair] = true
	}
	return found
}
