package slicer

import (
	"errors"
	"fmt"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Writer is how Apply writes: one function for each verb, usually a method of a client. A function that the plan does not
// need may be nil.
type Writer struct {
	// Create and Update get Step.New. They may decode the API server's answer into it. An update carries the
	// resourceVersion of the slice that it replaces, so that it fails on a conflict.
	Create, Update func(*discoveryv1.EndpointSlice) error
	// Delete gets Step.Old, which is read-only, and what the API server must check: see Step.Preconditions.
	Delete func(old *discoveryv1.EndpointSlice, p *metav1.Preconditions) error
}

// Apply carries out the steps in their order and stops at the first that fails. done is the number of steps that are
// done. err wraps the error of that step, so that apierrors.IsConflict and the like see it; nil: all steps are done.
//
// A delete that fails with NotFound is done. After any other error read the slices again and make a new plan: Conflict and
// AlreadyExists say that the plan was made from a stale view. A Writer that lacks a function that the plan needs is an
// error before the first write.
func (p Plan) Apply(w Writer) (done int, err error) {
	if err := w.check(p.Steps); err != nil {
		return 0, err
	}
	for i := range p.Steps {
		step := &p.Steps[i]
		if err := w.write(step); err != nil {
			return i, fmt.Errorf("slicer: step %d of %d, %s %s: %w", i+1, len(p.Steps), step.Verb, step.name(), err)
		}
	}
	return len(p.Steps), nil
}

func (w *Writer) write(s *Step) error {
	switch s.Verb {
	case Create:
		return w.Create(s.New)
	case Update:
		return w.Update(s.New)
	default:
		if err := w.Delete(s.Old, s.Preconditions()); !apierrors.IsNotFound(err) {
			return err
		}
		return nil
	}
}

// check reports the functions that the steps need and the Writer lacks, and steps that Compute does not make.
func (w *Writer) check(steps []Step) error {
	var faults []error
	lacks := map[Verb]bool{Create: w.Create == nil, Update: w.Update == nil, Delete: w.Delete == nil}
	for i := range steps {
		s := &steps[i]
		switch {
		case !slices.Contains([]Verb{Create, Update, Delete}, s.Verb) || s.Verb == Delete && s.Old == nil || s.Verb != Delete && s.New == nil:
			faults = append(faults, fmt.Errorf("slicer: step %d of %d is not one of a plan that Compute made", i+1, len(steps)))
		case lacks[s.Verb]:
			lacks[s.Verb] = false
			faults = append(faults, fmt.Errorf("slicer: the plan has steps that %s, and the Writer has no function for them", s.Verb))
		}
	}
	return errors.Join(faults...)
}

// name is the name of the step's slice, with a star where the API server will complete it.
func (s *Step) name() string {
	if s.New != nil {
		return name(s.New)
	}
	return name(s.Old)
}
