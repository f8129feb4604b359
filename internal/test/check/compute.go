package check

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/slicer"
)

// Compute calls slicer.Compute and checks all guarantees that one input can show: those of [Plan],
// that it is pure (G8), does not depend on any order (G7), and reaches a fixed point on what an API
// server stores (G3). What is broken comes back as a [Broken] error; any other error is Compute's
// own, about a caller's mistake. Whether there is one is for the test to say, which has made it.
func Compute(in gen.Case) (slicer.Plan, error) {
	before := Copy(in)
	plan, err := in.Compute()
	failures := []error{Pure(in, before, plan, err)}
	if err != nil {
		failures = append(failures, checkError(plan, err)...)
	} else {
		failures = append(failures, Plan(in, plan), Shuffled(in, plan, 1), Fixed(in, plan))
	}
	if all := errors.Join(failures...); all != nil {
		return plan, Broken{all, Describe(in, plan)}
	}
	return plan, err
}

// Broken is a broken guarantee, unlike an error that Compute is right to return.
type Broken struct {
	Err  error  // all failures, joined
	Case string // the input and the plan
}

func (b Broken) Error() string { return b.Err.Error() + "\n" + b.Case }
func (b Broken) Unwrap() error { return b.Err }

// Mistake reports whether err, from [Compute], is Compute's own about a caller's mistake.
func Mistake(err error) bool {
	var broken Broken
	return err != nil && !errors.As(err, &broken)
}

// checkError: an error is made of field errors with a path and a text, and comes without a plan.
func checkError(plan slicer.Plan, err error) (failures []error) {
	var f *field.Error
	if !errors.As(err, &f) || f.Field == "" || f.Detail == "" {
		failures = append(failures, fmt.Errorf("rule 6: an error without field or detail: %w", err))
	}
	if len(plan.Steps)+len(plan.Unchanged)+len(plan.Warnings) > 0 {
		failures = append(failures, fmt.Errorf("rule 6: a plan beside an error: %w", err))
	}
	return failures
}

// Describe writes an input and its plan for a person who looks for a fault.
func Describe(in gen.Case, plan slicer.Plan) string {
	var b strings.Builder
	text, _ := json.Marshal(in.Meta)
	fmt.Fprintf(&b, "key      %+v\nmeta     %s\noptions  %+v\npending  %+v\n", in.Key, text, in.Options, in.Pending)
	for _, g := range in.Groups {
		fmt.Fprintf(&b, "wanted   %s\n", GroupKey(g.AddressType, g.Ports))
		for i := range g.Endpoints {
			fmt.Fprintf(&b, "           %s\n", Show(&g.Endpoints[i].API))
		}
	}
	for _, s := range in.Existing {
		fmt.Fprintf(&b, "existing %s\n", ShowSlice(s))
	}
	b.WriteString(plan.String())
	for i, step := range plan.Steps {
		if step.New != nil {
			fmt.Fprintf(&b, "step %d   %s\n", i, ShowSlice(step.New))
		}
	}
	return b.String()
}
