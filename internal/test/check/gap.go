package check

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
)

// never is later than every step.
const never = 1 << 30

// pair is an endpoint with its ports.
type pair struct {
	group *group
	id    string
}

// checkGaps: no endpoint is missing at any prefix of the steps (G6).
func (o *outcome) checkGaps() {
	last, order := 0, []string{slicer.Create, slicer.Update, slicer.Delete}
	for i := range o.plan.Steps {
		if v := slices.Index(order, o.plan.Steps[i].Verb); v < last {
			o.fail("G6", "step %d: creates come first and deletes last", i)
		} else {
			last = v
		}
	}
	o.checkPairs()
}

// span is when one of our slices holds something: before its step, from it on, or both.
type span struct {
	slot          *slot
	before, after bool
}

// at is the number of steps after which the slice is written.
func (s span) at() int {
	if !s.slot.written() {
		return never
	}
	return s.slot.step
}

// gap returns the steps between which none of the slices holds it: after the first of the two and
// until the second.
func gap(spans []span) (from, to int, missing bool) {
	last, first := -1, never
	for _, s := range spans {
		if s.before && s.after {
			return 0, 0, false // an update is atomic
		}
		if s.before {
			last = max(last, s.at())
		}
		if s.after {
			first = min(first, s.at())
		}
	}
	return last, first, last < first && last != never
}

// spans lists, for every pair that is wanted, the slices that hold it before or after.
func (o *outcome) spans() map[pair][]span {
	all := map[pair][]span{}
	for _, s := range o.slots {
		before, after := o.pairsOf(s.old), o.pairsOf(s.now)
		for p := range before {
			all[p] = append(all[p], span{s, true, after[p]})
		}
		for p := range after {
			if !before[p] {
				all[p] = append(all[p], span{s, false, true})
			}
		}
	}
	return all
}

func (o *outcome) pairsOf(s *discoveryv1.EndpointSlice) map[pair]bool {
	pairs := map[pair]bool{}
	if s == nil {
		return pairs
	}
	if g := o.byKey[KeyOf(s)]; g != nil {
		for i := range s.Endpoints {
			if id := g.id(&s.Endpoints[i]); g.wanted[id] != nil {
				pairs[pair{g, id}] = true
			}
		}
	}
	return pairs
}

// checkPairs: an endpoint that is published on its ports and wanted on them stays published on
// them.
func (o *outcome) checkPairs() {
	for p, spans := range o.spans() {
		held, stays := false, false
		for _, s := range spans {
			held, stays = held || s.before, stays || s.after
		}
		if held && !stays && !o.onlyFormer(spans) {
			o.fail("G6", "endpoint %s of %s is held, wanted and unplaced", p.id, p.group.key)
		}
		if !held || !stays { // new; or unplaced, which G1 has judged
			continue
		}
		if from, to, missing := gap(spans); missing {
			o.fail("G6", "endpoint %s of %s is missing after step %d until step %d", p.id, p.group.key, from, to)
		}
	}
}

// onlyFormer reports whether all slices that hold something before the plan are slices of a former
// owner.
func (o *outcome) onlyFormer(spans []span) bool {
	return !slices.ContainsFunc(spans, func(s span) bool { return s.before && !slices.Contains(o.former, s.slot.old) })
}
