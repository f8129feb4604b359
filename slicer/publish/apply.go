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

// StepError is the step at which Apply stopped. The steps before it are done, and those after it were not tried.
type StepError struct {
	// Done is how many steps are done: the failed one is Plan.Steps[Done] of Total.
	Done, Total int
	// Verb is that of the step.
	Verb slicer.Verb
	// Name is the name of the slice. A star at its end stands for what the API server adds. A client may have zeroed Step.New.
	Name string
	// Err is what the Writer returned.
	Err error
}

// Error is one line, such as "publish: step 2 of 3, update web-a: ...".
func (e *StepError) Error() string {
	return fmt.Sprintf("publish: step %d of %d, %s %s: %v", e.Done+1, e.Total, e.Verb, e.Name, e.Err)
}

// Unwrap returns Err, so that apierrors.IsConflict and the like see it.
func (e *StepError) Unwrap() error { return e.Err }

// Apply carries out the steps of a plan in their order, and stops at the first one that fails, with a *StepError. It returns
// nil if all steps are done, or if the namespace is being deleted. It is for callers that do not use a [Syncer]: such a caller
// must not plan again before its cache shows what Apply wrote.
//
// A delete that fails with NotFound is done. If a create fails because the namespace is being deleted, Apply stops without
// an error, because all slices are about to go. After any other error, read the slices again and make a new plan: Conflict and
// AlreadyExists say that the plan was made from a late view. If the Writer does not have a function that the plan needs,
// nothing is written, and the error is not a *StepError.
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

// check reports the functions that the steps need and the Writer does not have, and steps that Compute does not make.
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
			faults = append(faults, fmt.Errorf("publish: step %d of %d is not a step of slicer.Compute", i+1, len(steps)))
		case missing[s.Verb]:
			missing[s.Verb] = false
			faults = append(faults, fmt.Errorf("publish: the plan has a step that %ss, and Writer.%s is nil", s.Verb, verbs[s.Verb]))
		}
	}
	return errors.Join(faults...)
}

// verbs are the names of the Writer's functions.
var verbs = map[slicer.Verb]string{slicer.Create: "Create", slicer.Update: "Update", slicer.Delete: "Delete"}

// nameOf is the name of the step's slice, with a star where the API server will complete it.
func nameOf(s *slicer.Step) string {
	slice := cmp.Or(s.New, s.Old)
	if slice.Name == "" {
		return notation.Quote(slice.GenerateName) + "*"
	}
	return notation.Quote(slice.Name)
}
