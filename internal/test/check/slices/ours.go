package slices

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
)

// checkOurs: every existing slice is in the plan once and where it belongs (G9).
func (o *outcome) checkOurs() {
	ignored := map[*discoveryv1.EndpointSlice]slicer.IgnoreReason{}
	for _, i := range o.plan.Ignored {
		if ignored[i.Slice] != "" {
			o.fail("G9", "slice %s is ignored twice", i.Slice.Name)
		}
		ignored[i.Slice] = i.Reason
	}
	for _, s := range o.live {
		if o.byOld[s] == nil || ignored[s] != "" {
			o.fail("G9", "slice %s is ours and must be written or unchanged", s.Name)
		}
	}
	for _, s := range o.stale {
		if have := o.byOld[s]; have == nil || have.now != nil {
			o.fail("G9", "slice %s has a stale owner and must be deleted", s.Name)
		}
	}
	for _, s := range o.foreign {
		if ignored[s] != slicer.Foreign || o.byOld[s] != nil {
			o.fail("G9", "slice %s is foreign and must be ignored as such", s.Name)
		}
	}
	for _, s := range o.others {
		if ignored[s] != "" || o.byOld[s] != nil {
			o.fail("G9", "slice %s is of another parent and must not be in the plan", s.Name)
		}
	}
	for _, s := range o.dying {
		// A slice that is both foreign and dying may be listed as either.
		if reason := ignored[s]; o.byOld[s] != nil || reason != slicer.Dying && (reason != slicer.Foreign || o.ours(s)) {
			o.fail("G9", "slice %s is dying and must be ignored as such", s.Name)
		}
	}
	existing := map[*discoveryv1.EndpointSlice]bool{}
	for _, s := range o.in.Existing {
		existing[s] = true
	}
	for s := range o.byOld {
		if !existing[s] {
			o.fail("G9", "slice %s is no pointer from Existing", s.Name)
		}
	}
	if len(ignored) != len(o.foreign)+len(o.dying) {
		o.fail("G9", "%d slices are ignored, want %d", len(ignored), len(o.foreign)+len(o.dying))
	}
}
