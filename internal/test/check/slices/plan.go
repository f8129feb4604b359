// Package slices is the guarantees G1 to G13 of package slicer as code.
//
// It is written from the text of the guarantees. It has its own normal forms (package form), its
// own idea of what an API server refuses (package sim), and a reference implementation of the
// filling, which counts endpoints. [Plan] looks at one input and its plan. [Compute] also plans
// again: on copies, on shuffled inputs, and on what an API server would store. Every error names
// the guarantee that is broken.
//
// Two things are shared with the planner, and have tests of their own: what conditions mean
// (package conditions), and the order of port sets, which decides a tie of Compact
// (endpoint.Port.Compare). What Auto decides is judged by the checks of package hints, in
// check/hints.
//
// Where the guarantees leave a choice (which of two equal candidates stays, which surplus leaves),
// the checks follow the plan's choice and test what the choice must meet.
package slices

import (
	"errors"

	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/slicer/next"
)

// Plan checks everything that can be seen in an input and the plan that Compute made of it without
// an error: G1, G2, G4 to G6, G9, G10, G13, the names of G12, and that lists, reasons and counts
// are as documented. It returns nil, or all that is wrong, joined.
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
		compact := o.compacts()
		if compact {
			o.checkDissolved(h)
		} else {
			o.checkSticky(h)
		}
		o.checkGaps(h)
		if len(o.failures) == 0 && !compact && !o.decidedOverAll() {
			o.checkFilling(h)
		}
		o.checkReasons(h)
		o.checkAllocated(h)
	}
	o.checkGapList()
	return errors.Join(o.failures...)
}
