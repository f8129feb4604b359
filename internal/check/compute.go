package check

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/slicer"
)

// Compute calls slicer.Compute and checks all guarantees that one input can show: those of [Plan], that it is pure (G8),
// does not depend on any order (G7), reaches a fixed point on what an API server stores (G3), and fails exactly for the
// caller's mistakes. The error is one of Compute's own when errors.As finds a *field.Error in it; [Mistake] tells.
func Compute(in slicer.Input) (slicer.Plan, error) {
	plan, err := pure(in)
	var broken Broken
	if errors.As(err, &broken) {
		return plan, err
	}
	mistakes, unclear := mistakes(in)
	switch {
	case err != nil && len(mistakes)+len(unclear) == 0:
		return plan, Broken{fmt.Errorf("rule 6: an error without a caller's mistake: %w", err)}
	case err == nil && len(mistakes) > 0:
		return plan, Broken{fmt.Errorf("rule 6: no error for %q", mistakes)}
	case err != nil:
		return plan, checkError(plan, err)
	}
	if err := errors.Join(Plan(in, plan), Shuffled(in, plan, 1), Fixed(in, plan)); err != nil {
		return plan, Broken{fmt.Errorf("%w\n%s", err, Describe(in, plan))}
	}
	return plan, nil
}

// Broken is a broken guarantee, unlike an error that Compute is right to return.
type Broken struct{ Err error }

func (b Broken) Error() string { return b.Err.Error() }
func (b Broken) Unwrap() error { return b.Err }

// Mistake reports whether err, from [Compute], is Compute's own about a caller's mistake.
func Mistake(err error) bool {
	var broken Broken
	return err != nil && !errors.As(err, &broken)
}

// checkError: an error is made of field errors with a path and a text, and comes without a plan.
func checkError(plan slicer.Plan, err error) error {
	var f *field.Error
	if !errors.As(err, &f) || f.Field == "" || f.Detail == "" {
		return Broken{fmt.Errorf("rule 6: an error without field or detail: %w", err)}
	}
	if len(plan.Steps)+len(plan.Unchanged)+len(plan.Rejected) > 0 {
		return Broken{fmt.Errorf("rule 6: a plan beside an error: %w", err)}
	}
	return err
}
