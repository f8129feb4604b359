package publish

import (
	"cmp"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/slicer"
)

// StepError is the error of the step at which Apply stopped. The steps before it are done, and the
// steps after it were not tried.
type StepError struct {
	// Done is the number of steps that are done. The step that failed is Plan.Steps[Done], of Total
	// steps.
	Done, Total int
	// Verb is what the step does.
	Verb slicer.Verb
	// Name is the name of the slice. A star at the end of Name stands for what the API server
	// appends to a generated name. Name is kept here because a client may have zeroed Step.New.
	Name string
	// Err is what the Writer returned.
	Err error
}

// Error returns one line, such as "publish: step 2 of 3, update web-a: ...".
func (e *StepError) Error() string {
	if e == nil {
		return "publish: no step has failed"
	}
	return fmt.Sprintf("publish: step %d of %d, %s %s: %v", e.Done+1, e.Total, e.Verb, e.Name, e.Err)
}

// Unwrap returns Err, so that functions such as apierrors.IsConflict see it.
func (e *StepError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// Apply carries out the steps of a plan in their order, and stops at the first one that fails, with
// a *StepError. It is for callers that do not use a [Syncer]. Such a caller must not plan again
// before its cache shows what Apply wrote. Step.New is replaced by the answer of the API server.
//
// Apply returns nil in two cases:
//
//   - All steps are done. A delete that fails with NotFound counts as done.
//   - A create fails because the namespace is being deleted. Apply then stops, because all slices
//     are about to be deleted.
//
// After any other error, read the slices again and make a new plan. Conflict and AlreadyExists mean
// that the plan was made from a late cache. Apply writes nothing, and its error is not a
// *StepError, in two cases: the Writer does not have a function that the plan needs; or a step is
// not complete, because its Verb is unknown, or the Old or New that the Verb needs is nil.
func Apply(plan slicer.Plan, w Writer) error {
	if err := w.check(plan.Steps); err != nil {
		return err
	}
	for i := range plan.Steps {
		step := &plan.Steps[i]
		failed := &StepError{Done: i, Total: len(plan.Steps), Verb: step.Verb, Name: nameOf(step)}
		if failed.Err = w.write(step); failed.Err == nil {
			continue
		}
		if step.Verb == slicer.Create && apierrors.HasStatusCause(failed.Err, corev1.NamespaceTerminatingCause) {
			return nil
		}
		return failed
	}
	return nil
}

func (w *Writer) write(s *slicer.Step) error {
	switch s.Verb {
	case slicer.Create:
		return w.Create(s.New)
	case slicer.Update:
		return w.Update(s.New)
	default:
		if err := w.Delete(s.Old, s.Preconditions()); !apierrors.IsNotFound(err) {
			return err
		}
		return nil
	}
}

// check returns an error if the Writer does not have a function that the steps need, or if a step
// is not complete.
func (w *Writer) check(steps []slicer.Step) error {
	var faults []error
	missing := map[slicer.Verb]bool{
		slicer.Create: w.Create == nil, slicer.Update: w.Update == nil, slicer.Delete: w.Delete == nil,
	}
	for i := range steps {
		s := &steps[i]
		_, known := missing[s.Verb]
		switch {
		case !known, s.Verb == slicer.Delete && s.Old == nil, s.Verb != slicer.Delete && s.New == nil:
			faults = append(faults, fmt.Errorf("publish: step %d of %d is not complete: "+
				"give the steps of a Plan as they are", i+1, len(steps)))
		case missing[s.Verb]:
			missing[s.Verb] = false // one error for each verb
			faults = append(faults, fmt.Errorf("publish: Writer.%s is nil, and a step of the plan %ss a slice: "+
				"give the function", verbs[s.Verb], s.Verb))
		}
	}
	return errors.Join(faults...)
}

// verbs are the names of the Writer's functions.
var verbs = map[slicer.Verb]string{slicer.Create: "Create", slicer.Update: "Update", slicer.Delete: "Delete"}

// nameOf returns the name of the step's slice. If the API server will generate the name, it is the
// prefix and a star.
func nameOf(s *slicer.Step) string {
	slice := cmp.Or(s.New, s.Old)
	if slice.Name == "" {
		return notation.Quote(slice.GenerateName) + "*"
	}
	return notation.Quote(slice.Name)
}
