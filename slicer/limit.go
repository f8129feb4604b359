package slicer

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
)

// limit returns the Skip of a limit of hints that has no effect, and whether there is one.
func (p *placement) limit() (Skip, bool) {
	o := &p.in.Hints
	withoutWeights := func(made hints.Decision) bool { return made.Reason == hints.NoWeights }
	switch {
	case o.Limit == 0:
		return Skip{}, false
	case o.Mode != hints.SameZone:
		cause := field.Invalid(field.NewPath("hints", "limit"), o.Limit,
			"only the mode SameZone has a limit: choose it, or leave the limit out")
		return Skip{Reason: LimitUnused, Path: cause.Field, Err: cause}, true
	case slices.ContainsFunc(p.decisions, withoutWeights):
		cause := field.Required(field.NewPath("hints", "weights", "zones"),
			"a limit needs the weights of zones, as hints.NodeWeights takes them from the CPU of Nodes: "+
				"without them every endpoint is hinted to its own zone, whatever it then carries")
		return Skip{Reason: NoWeights, Path: cause.Field, Err: cause}, true
	default:
		return Skip{}, false
	}
}
