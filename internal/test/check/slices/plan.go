package slices

import (
	"errors"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/slicer"
)

// Plan checks everything that can be told from an input and the plan that Compute made of it without an error: G1, G2,
// G4 to G6, G9, G10, G13, the names of G12, and that lists, reasons and counts are as documented. It returns nil, or
// all that is wrong, joined.
func Plan(in given.World, plan slicer.Plan) error {
	o, ok := newOutcome(in, plan)
	if !ok {
		return errors.Join(o.failures...)
	}
	o.checkOurs()
	o.checkComplete()
	o.checkRejected()
	o.checkAccepted()
	o.checkPlaceholder()
	o.checkMetadata()
	o.checkForm()
	if len(o.failures) == 0 { // The rest relies on a plan that is complete.
		h := o.findHomes()
		compact, fewest := o.compacts(), in.Options.Hints.Mode != hints.Proportional
		if compact {
			o.checkDissolved(h)
		} else {
			o.checkSticky(h)
		}
		o.checkGaps(h)
		switch {
		case len(o.failures) > 0 || !fewest:
		case compact:
			o.checkCompactCost(h)
		default:
			o.checkWrites(h)
			o.checkReuse(h)
			o.checkFill(h)
		}
		o.checkReasons(h)
		o.checkProportional(h)
	}
	return errors.Join(o.failures...)
}
