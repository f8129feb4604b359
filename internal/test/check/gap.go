package check

import (
	"cmp"
	"slices"
	"strings"

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
func (o *outcome) checkGaps(h *homes) {
	last, order := 0, []string{slicer.Create, slicer.Update, slicer.Delete}
	for i := range o.plan.Steps {
		if v := slices.Index(order, o.plan.Steps[i].Verb); v < last {
			o.fail("G6", "step %d: creates come first and deletes last", i)
		} else {
			last = v
		}
	}
	o.checkPairs()
	waits := newWaits(o.slots)
	o.checkHomes(h, waits)
	o.checkPorts(h, waits)
	o.checkCopies(waits)
	o.checkReady(waits)
}

// checkReady: if no slice waits or changes its ports, the number of ready endpoints on some ports
// is never below both its first and its last value (G6).
func (o *outcome) checkReady(waits *waits) {
	portsChange := func(s *slot) bool { return s.old != nil && s.now != nil && KeyOf(s.old) != KeyOf(s.now) }
	if len(waits.next) > 0 || slices.ContainsFunc(o.slots, portsChange) {
		return
	}
	ready := func(done int) map[string]int {
		counts := map[string]int{}
		for _, s := range o.slots {
			now := s.old
			if s.written() && s.step < done {
				now = s.now
			}
			for i := 0; now != nil && i < len(now.Endpoints); i++ {
				if Ready(&now.Endpoints[i]) {
					counts[KeyOf(now)]++
				}
			}
		}
		return counts
	}
	first, last := ready(0), ready(len(o.plan.Steps))
	for done := range o.plan.Steps {
		counts := ready(done)
		for key, n := range first {
			if counts[key] < min(n, last[key]) {
				o.fail("G6", "%d endpoints of %s are ready after step %d, %d before the plan and %d after it", counts[key], key,
					done, n, last[key])
			}
		}
	}
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

// checkPairs: what is held and wanted on its ports stays held on them.
func (o *outcome) checkPairs() {
	for p, spans := range o.spans() {
		held, stays := false, false
		for _, s := range spans {
			held, stays = held || s.before, stays || s.after
		}
		if held && !stays && !o.onlyStale(spans) {
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

// homeOf returns the slice where a pair is at home because that holds it on its ports, or nil.
func (o *outcome) homeOf(h *homes, p pair) *slot {
	home := h.home[p.group][p.id]
	if home == nil || KeyOf(home) != p.group.key {
		return nil
	}
	return o.byOld[home]
}

// checkHomes: a slice that takes an endpoint off its home is written before that home, the first
// rule of G6. It notes who waits for whom.
func (o *outcome) checkHomes(h *homes, waits *waits) {
	for p, spans := range o.spans() {
		from := o.homeOf(h, p)
		if from == nil {
			continue
		}
		for _, s := range spans {
			if !s.after || s.slot == from || s.slot.old == nil || !s.slot.written() {
				continue
			}
			waits.add(from, s.slot)
			if s.slot.step > from.step {
				o.fail("G6", "(1) endpoint %s leaves %s in step %d before step %d writes %s, which takes it", p.id,
					from.name(), from.step, s.slot.step, s.slot.name())
			}
		}
	}
}

// onlyStale reports whether all slices that hold something before the plan are a stale owner's.
func (o *outcome) onlyStale(spans []span) bool {
	return !slices.ContainsFunc(spans, func(s span) bool { return s.before && !slices.Contains(o.stale, s.slot.old) })
}

// copyWait is a slice that gives up a good copy, and the slice that will hold the endpoint.
type copyWait struct {
	from, to *slot
	pair     pair
}

// checkCopies: a good copy of an endpoint is not given up before the slice that will hold the
// endpoint was written, if that one has no good copy of its own, the third rule of G6. Of these
// waits, by the names of the slice that gives up and the one that will hold, each counts that
// closes no cycle with those of all rules before it.
func (o *outcome) checkCopies(waits *waits) {
	var all []copyWait
	for p := range o.spans() {
		all = append(all, o.copyWaits(p)...)
	}
	slices.SortFunc(all, func(a, b copyWait) int {
		return cmp.Or(strings.Compare(a.from.name(), b.from.name()), strings.Compare(a.to.name(), b.to.name()))
	})
	for _, w := range all {
		if waits.reaches(w.to, w.from) {
			continue
		}
		waits.add(w.from, w.to)
		if w.from.step < w.to.step {
			o.fail("G6", "(3) %s gives up a good copy of endpoint %s in step %d before step %d writes %s, which has "+
				"none", w.from.name(), w.pair.id, w.from.step, w.to.step, w.to.name())
		}
	}
}

func (o *outcome) copyWaits(p pair) []copyWait {
	var good []*slot
	var to *slot
	for _, s := range o.slots {
		if s.group == p.group && slices.Contains(s.ids, p.id) {
			to = s
		}
		if s.old != nil && KeyOf(s.old) == p.group.key && p.hasGoodCopy(s.old) {
			good = append(good, s)
		}
	}
	if to == nil || to.old == nil || slices.Contains(good, to) {
		return nil
	}
	var waits []copyWait
	for _, s := range good {
		if s.now != nil {
			waits = append(waits, copyWait{s, to, p})
		}
	}
	return waits
}

// hasGoodCopy reports whether a slice holds the pair with the wanted addresses and, if it is wanted
// ready, ready.
func (p pair) hasGoodCopy(s *discoveryv1.EndpointSlice) bool {
	wanted := p.group.wanted[p.id].pick
	return slices.ContainsFunc(s.Endpoints, func(e discoveryv1.Endpoint) bool {
		return p.group.id(&e) == p.id && sameAddresses(e.Addresses, wanted.Addresses) &&
			(Ready(&e) || !Ready(wanted))
	})
}
