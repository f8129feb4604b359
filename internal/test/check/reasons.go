package check

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/gen"
)

// checkReasons: each step says why, with just the reasons that there are, and counts what it does.
func (o *outcome) checkReasons(h *homes) {
	for _, s := range o.slots {
		if !s.written() {
			continue
		}
		r := s.reason
		if len(r) == 0 || !slices.IsSortedFunc(r, byOrder) || len(slices.Compact(slices.Clone(r))) != len(r) {
			o.fail("Plan", "step %d has reasons %v, want at least one, each once and in order", s.step, r)
		}
		switch {
		case s.old == nil:
			o.checkCounts(s, count{len(s.now.Endpoints), 0, 0})
			o.checkWhy(s, why{"EndpointsAdded": len(s.now.Endpoints) > 0,
				"PlaceholderWanted": len(s.now.Endpoints) == 0})
		case s.now == nil:
			o.checkCounts(s, count{0, len(s.old.Endpoints), 0})
			o.checkDelete(s, h)
		default:
			o.checkUpdate(s, h)
		}
	}
}

func byOrder(a, b string) int {
	return slices.Index(gen.Reasons, a) - slices.Index(gen.Reasons, b)
}

// why has the reasons that a step must have.
type why map[string]bool

// checkWhy compares the reasons of a step with those that it must have. Each of open is left open.
func (o *outcome) checkWhy(s *slot, want why, open ...string) {
	for _, reason := range gen.Reasons {
		if !slices.Contains(open, reason) && slices.Contains(s.reason, reason) != want[reason] {
			o.fail("Plan", "step %d (%s) has reasons %v; %v should be there: %t", s.step, s.name(), s.reason, reason,
				want[reason])
		}
	}
}

func (o *outcome) checkDelete(s *slot, h *homes) {
	w := why{}
	switch {
	case slices.Contains(o.stale, s.old):
		w["OwnerStale"] = true
	case o.unsure[s.old.AddressType] && !o.types[s.old.AddressType]:
		o.checkWhy(s, w, "AddressTypeGone", "NothingLeft") // whether the type is wanted is open
		return
	case !o.types[s.old.AddressType]:
		w["AddressTypeGone"] = true
	case len(h.at[s.old]) > 0: // Compact
		w["Compacted"] = true
	default:
		w["NothingLeft"] = true
	}
	o.checkCompacted(s, h, w)
}

// checkCompacted is checkWhy where a slice may have been written to leave fewer slices: one in
// which nothing must change. If it takes endpoints, it may have been opened for them. Whether hints
// must change is for Auto to say.
func (o *outcome) checkCompacted(s *slot, h *homes, w why) {
	var open []string
	clean := o.compacts() && len(h.at[s.old]) > 0 && !o.dirty(s.old, h)
	w["Compacted"] = w["Compacted"] || clean
	if clean && w["EndpointsAdded"] || o.decidedOverAll() {
		open = append(open, "Compacted")
	}
	o.checkWhy(s, w, open...)
}

func (o *outcome) checkUpdate(s *slot, h *homes) {
	w := why{}
	what := o.differences(s.old)
	w["LabelsChanged"] = what.labels
	w["AnnotationsChanged"] = what.annotations
	w["OwnersChanged"] = what.owners
	moved := KeyOf(s.old) != KeyOf(s.now)
	w["PortsChanged"] = moved
	if len(s.now.Endpoints) == 0 {
		w["EndpointsRemoved"] = len(s.old.Endpoints) > 0
		w["PlaceholderWanted"] = moved || len(s.old.Endpoints) > 0
		o.checkCounts(s, count{0, len(s.old.Endpoints), 0})
		o.checkWhy(s, w)
		return
	}
	var c count
	for i, id := range s.ids {
		old, now := copies(s.old, s.group, id), &s.now.Endpoints[i]
		if len(old) == 0 {
			w["EndpointsAdded"] = true
			c.added++
		} else if content, hinted := o.differs(old, now, now.Hints); content || hinted {
			c.changed++
		}
	}
	c.removed = len(s.old.Endpoints) - (len(s.ids) - c.added)
	if moved {
		c = count{len(s.now.Endpoints), len(s.old.Endpoints), 0}
	}
	o.checkCounts(s, c)
	for i := range s.old.Endpoints {
		if s.group.wanted[s.group.id(&s.old.Endpoints[i])] == nil {
			w["EndpointsRemoved"] = true
		}
	}
	stay := o.kept(h, s.old)
	dissolved := stay == 0 && len(h.at[s.old]) > 0
	w["Compacted"] = dissolved
	w["DuplicatesRemoved"] = !dissolved && o.doubled(s, h)
	if stay > 0 && stay < h.found[s.old] { // it was above the maximum
		w["EndpointsRemoved"] = true
	}
	if !moved && !dissolved {
		for _, id := range h.at[s.old] {
			w.compare(o, s, id)
		}
	}
	if !moved {
		for _, id := range s.ids {
			w.compare(o, s, id)
		}
	}
	o.checkCompacted(s, h, w)
}

// compare notes whether an endpoint that the slice held is to have other content or hints, wherever
// it will be.
func (w why) compare(o *outcome, s *slot, id string) {
	old := copies(s.old, s.group, id)
	if len(old) == 0 {
		return
	}
	after, placed := o.hintsAfter(s.group, id)
	if !placed { // G1 and G5 judge that
		return
	}
	content, hinted := o.differs(old, s.group.wanted[id].pick, after)
	w["EndpointsChanged"] = w["EndpointsChanged"] || content
	w["HintsChanged"] = w["HintsChanged"] || hinted
}

// hintsAfter are those that an endpoint has after the plan; false if it is unplaced.
func (o *outcome) hintsAfter(g *group, id string) (*discoveryv1.EndpointHints, bool) {
	for _, place := range o.slots {
		if i := slices.Index(place.ids, id); place.group == g && i >= 0 {
			return place.now.Endpoints[i].Hints, true
		}
	}
	return nil, false
}

// differs compares what a slice held for an endpoint with what it is to be. Of several copies the
// one counts that is most like it, where content counts more than hints.
func (o *outcome) differs(old []*discoveryv1.Endpoint, want *discoveryv1.Endpoint,
	h *discoveryv1.EndpointHints) (content, hinted bool) {
	content, hinted = true, true
	for _, e := range old {
		c, d := !sameContent(e, want, false), !sameHints(e.Hints, h)
		if content && !c || content == c && !d {
			content, hinted = c, d
		}
	}
	return content, hinted
}

// doubled reports whether a slice held, by its old ports, an endpoint twice or one that is at home
// elsewhere.
func (o *outcome) doubled(s *slot, h *homes) bool {
	g := o.byKey[KeyOf(s.old)]
	if g == nil {
		return false
	}
	seen := map[string]bool{}
	for i := range s.old.Endpoints {
		id := g.id(&s.old.Endpoints[i])
		if g.wanted[id] != nil && (seen[id] || h.home[g][id] != s.old) {
			return true
		}
		seen[id] = true
	}
	return false
}

type count struct{ added, removed, changed int }

// checkCounts compares the counts of a step.
func (o *outcome) checkCounts(s *slot, want count) {
	step := &o.plan.Steps[s.step]
	if have := (count{step.Added, step.Removed, step.Changed}); have != want {
		o.fail("Plan", "step %d (%s) counts +%d -%d ~%d, want %v", s.step, s.name(), have.added, have.removed,
			have.changed, want)
	}
}
