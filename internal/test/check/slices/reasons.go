package slices

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/check/form"
	"github.com/slicewright/slicewright/slicer"
)

// checkReasons: each step says why, and counts what it does.
func (o *outcome) checkReasons() {
	for _, s := range o.slots {
		if !s.written() {
			continue
		}
		r := s.reason
		if len(r) == 0 || !slices.IsSorted(r) || len(slices.Compact(slices.Clone(r))) != len(r) {
			o.fail("Plan", "step %d has reasons %v, want at least one, each once and in order", s.step, r)
		}
		step := &o.plan.Steps[s.step]
		switch {
		case s.old == nil:
			o.checkCounts(s, count{len(s.now.Endpoints), 0, 0}, 0)
			o.expect(s, slicer.EndpointsAdded, len(s.now.Endpoints) > 0)
			o.expect(s, slicer.PlaceholderWanted, len(s.now.Endpoints) == 0)
		case s.now == nil:
			stale := slices.Contains(o.stale, s.old)
			o.expect(s, slicer.OwnerStale, stale)
			if !o.unsure[s.old.AddressType] {
				o.expect(s, slicer.AddressTypeGone, !stale && !o.types[s.old.AddressType])
			}
			if step.Added != 0 || step.Changed != 0 || step.Removed > len(s.old.Endpoints) {
				o.fail("Plan", "delete of %s counts +%d -%d ~%d", s.name(), step.Added, step.Removed, step.Changed)
			}
		default:
			o.checkUpdateReasons(s)
		}
	}
}

func (o *outcome) expect(s *slot, reason slicer.Reason, want bool) {
	if slices.Contains(s.reason, reason) != want {
		o.fail("Plan", "step %d (%s) has reasons %v; %d should be there: %t", s.step, s.name(), s.reason, reason, want)
	}
}

func (o *outcome) checkUpdateReasons(s *slot) {
	what := o.differences(s.old)
	o.expect(s, slicer.LabelsChanged, what.labels)
	o.expect(s, slicer.AnnotationsChanged, what.annotations)
	o.expect(s, slicer.OwnersChanged, what.owners)
	if len(s.now.Endpoints) == 0 {
		o.expect(s, slicer.PlaceholderWanted, len(s.old.Endpoints) > 0 || len(s.old.Ports) > 0)
		return
	}
	if form.KeyOf(s.old) != form.KeyOf(s.now) {
		o.expect(s, slicer.PortsChanged, true)
		return
	}
	c, twice, hintsOnly := s.changes(o.in.Options.ExplicitConditions)
	o.expect(s, slicer.PortsChanged, false)
	o.expect(s, slicer.EndpointsAdded, c.added > 0)
	if !twice { // else it depends on which of the copies counts
		o.checkCounts(s, c, hintsOnly)
		// An endpoint that leaves as surplus may have been the one that changed.
		if c.changed > 0 || len(s.old.Endpoints) <= o.max {
			o.expect(s, slicer.EndpointsChanged, c.changed > 0)
		}
	}
}

type count struct{ added, removed, changed int }

// checkCounts compares the counts of a step. Endpoints of which only hints change may count as changed or not.
func (o *outcome) checkCounts(s *slot, want count, hintsOnly int) {
	step := &o.plan.Steps[s.step]
	if step.Added != want.added || step.Removed != want.removed || step.Changed < want.changed || step.Changed > want.changed+hintsOnly {
		o.fail("Plan", "step %d (%s) counts +%d -%d ~%d, want %v", s.step, s.name(), step.Added, step.Removed, step.Changed, want)
	}
}

// changes compares old and new by identity. It also tells whether old holds an identity twice, and how many endpoints
// differ in their hints only.
func (s *slot) changes(explicit bool) (c count, twice bool, hintsOnly int) {
	old := map[string]*discoveryv1.Endpoint{}
	for i := range s.old.Endpoints {
		id := s.group.id(&s.old.Endpoints[i])
		twice = twice || old[id] != nil
		old[id] = &s.old.Endpoints[i]
	}
	for i, id := range s.ids {
		have, now := old[id], &s.now.Endpoints[i]
		switch {
		case have == nil:
			c.added++
		case !sameContent(have, now, explicit):
			c.changed++
		case !sameHints(have.Hints, now.Hints):
			hintsOnly++
		}
		delete(old, id)
	}
	c.removed = len(old)
	return c, twice, hintsOnly
}
