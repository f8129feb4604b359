package slices

import (
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/check/form"
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
	last := slicer.Create
	for i := range o.plan.Steps {
		if v := o.plan.Steps[i].Verb; v < last {
			o.fail("G6", "step %d: creates come first and deletes last", i)
		} else {
			last = v
		}
	}
	waits := newWaits(o.slots)
	o.checkPairs(h, waits)
	o.checkMoves(waits)
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

// gap returns the steps between which none of the slices holds it: after the first of the two and until the second.
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
	if g := o.byKey[form.KeyOf(s)]; g != nil {
		for i := range s.Endpoints {
			if id := g.id(&s.Endpoints[i]); g.wanted[id] != nil {
				pairs[pair{g, id}] = true
			}
		}
	}
	return pairs
}

// checkPairs: what is held and wanted stays held, and is taken off its home only after its new slice was written.
func (o *outcome) checkPairs(h *homes, waits *waits) {
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
		home := h.home[p.group][p.id]
		if home == nil || o.byOld[home] == nil || form.KeyOf(home) != p.group.key {
			continue
		}
		from := o.byOld[home]
		for _, s := range spans {
			if s.after && s.slot != from && s.slot.old != nil && s.slot.written() {
				waits.add(from, s.slot)
				if s.slot.step > from.step {
					o.fail("G6", "endpoint %s leaves %s in step %d before step %d writes %s, which takes it", p.id, from.name(), from.step, s.slot.step, s.slot.name())
				}
			}
		}
	}
}

// onlyStale reports whether all slices that hold something before the plan are a stale owner's.
func (o *outcome) onlyStale(spans []span) bool {
	for _, s := range spans {
		if s.before && !slices.Contains(o.stale, s.slot.old) {
			return false
		}
	}
	return true
}

// move is an endpoint none of whose old ports are wanted.
type move struct {
	wanted  []pair
	holders []span
}

// checkMoves: an endpoint that changes its ports is on old or new ones, unless its slices wait for each other.
func (o *outcome) checkMoves(waits *waits) {
	var checks []func()
	for _, m := range o.moves() {
		targets := o.targets(m.wanted)
		if len(targets) == 0 {
			continue // unplaced
		}
		wait := o.waiter(m, targets)
		if wait != nil {
			for _, t := range targets {
				waits.add(wait, t.slot)
			}
		}
		from, to, missing := gap(append(slices.Clone(m.holders), targets...))
		for _, t := range targets {
			for _, s := range m.holders {
				missing = missing && s.slot != t.slot
			}
		}
		if !missing {
			continue
		}
		checks = append(checks, func() {
			for _, t := range targets {
				if wait != nil && waits.cyclic(wait, t.slot) {
					return
				}
			}
			o.fail("G6", "endpoint %s, which changes to %s, is on no ports after step %d until step %d", m.wanted[0].id, m.wanted[0].group.key, from, to)
		})
	}
	for _, check := range checks { // once all waits are known
		check()
	}
}

// moves lists the endpoints that our slices hold on ports that are wanted for none of them. Groups may disagree about
// who is who, when one goes by address and one by UID: then all that are somebody's same endpoint move as one.
func (o *outcome) moves() []*move {
	kept, held, also := map[pair]bool{}, map[pair][]span{}, map[pair][]pair{}
	for _, s := range o.slots {
		if s.old == nil {
			continue
		}
		for p := range o.pairsOf(s.old) {
			kept[p] = true
		}
		for i := range s.old.Endpoints {
			wanted := o.wantedAs(s.old.AddressType, &s.old.Endpoints[i])
			for _, p := range wanted {
				held[p] = append(held[p], span{s, true, false})
				also[p] = append(also[p], wanted...)
			}
		}
	}
	var moves []*move
	seen := map[pair]bool{}
	for p := range held {
		if seen[p] {
			continue
		}
		seen[p] = true
		m := &move{wanted: []pair{p}}
		for i := 0; i < len(m.wanted); i++ {
			m.holders = append(m.holders, held[m.wanted[i]]...)
			for _, q := range also[m.wanted[i]] {
				if !seen[q] {
					seen[q] = true
					m.wanted = append(m.wanted, q)
				}
			}
		}
		if !slices.ContainsFunc(m.wanted, func(p pair) bool { return kept[p] }) {
			moves = append(moves, m)
		}
	}
	return moves
}

// wantedAs lists the pairs that an existing endpoint is wanted as.
func (o *outcome) wantedAs(t discoveryv1.AddressType, e *discoveryv1.Endpoint) []pair {
	var pairs []pair
	for _, g := range o.groups {
		if id := g.id(e); g.addressType == t && g.wanted[id] != nil {
			pairs = append(pairs, pair{g, id})
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int { return strings.Compare(a.group.key, b.group.key) })
	return pairs
}

func (o *outcome) targets(pairs []pair) []span {
	var targets []span
	for _, s := range o.slots {
		if s.now != nil && slices.ContainsFunc(pairs, func(p pair) bool { return p.group == s.group && slices.Contains(s.ids, p.id) }) {
			targets = append(targets, span{s, false, true})
		}
	}
	return targets
}

// waiter is the holder that must wait for the targets: the one with the highest resourceVersion. There is none if a
// target is created or holds the endpoint already, or if a holder is deleted, which comes last anyway.
func (o *outcome) waiter(m *move, targets []span) *slot {
	for _, t := range targets {
		if t.slot.old == nil || slices.ContainsFunc(m.holders, func(s span) bool { return s.slot == t.slot }) {
			return nil
		}
	}
	newest := m.holders[0].slot
	for _, s := range m.holders {
		if s.slot.now == nil {
			return nil
		}
		if newerFirst(s.slot.old, newest.old) < 0 {
			newest = s.slot
		}
	}
	return newest
}
