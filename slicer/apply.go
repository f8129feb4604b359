package slicer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Writer is how Apply writes: one function for each verb, usually a method of a client. A function that the plan does not
// need may be nil. [ClientWriter] makes one of client-go's client.
type Writer struct {
	// Create and Update get Step.New. They may decode the API server's answer into it. An update carries the
	// resourceVersion of the slice that it replaces, so that it fails on a conflict.
	Create, Update func(*discoveryv1.EndpointSlice) error
	// Delete gets Step.Old, which is read-only, and what the API server must check: see Step.Preconditions.
	Delete func(old *discoveryv1.EndpointSlice, p *metav1.Preconditions) error
}

// ClientWriter returns a Writer that writes with a client of one namespace: client-go's
// clientset.DiscoveryV1().EndpointSlices(namespace), or anything that has its methods. The stored object replaces Step.New.
//
// Write through a [Writes], so that nothing is planned from a cache that has not shown the last writes.
func ClientWriter(ctx context.Context, client interface {
	Create(context.Context, *discoveryv1.EndpointSlice, metav1.CreateOptions) (*discoveryv1.EndpointSlice, error)
	Update(context.Context, *discoveryv1.EndpointSlice, metav1.UpdateOptions) (*discoveryv1.EndpointSlice, error)
	Delete(ctx context.Context, name string, o metav1.DeleteOptions) error
}) Writer {
	keep := func(s, stored *discoveryv1.EndpointSlice, err error) error {
		if err == nil && stored != nil {
			*s = *stored
		}
		return err
	}
	return Writer{
		Create: func(s *discoveryv1.EndpointSlice) error {
			stored, err := client.Create(ctx, s, metav1.CreateOptions{})
			return keep(s, stored, err)
		},
		Update: func(s *discoveryv1.EndpointSlice) error {
			stored, err := client.Update(ctx, s, metav1.UpdateOptions{})
			return keep(s, stored, err)
		},
		Delete: func(old *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
			return client.Delete(ctx, old.Name, metav1.DeleteOptions{Preconditions: p})
		},
	}
}

// StepError is the step at which Apply stopped. The steps before it are done, and those after it have not been tried.
type StepError struct {
	// Done is how many steps are done: the failed one is Plan.Steps[Done] of Total.
	Done, Total int
	Verb        Verb // that of the step
	// Name is the slice's name, with a star at its end where the API server completes it. A client may have zeroed Step.New.
	Name string
	// Err is what the Writer returned.
	Err error
}

// Error is one line, such as "slicer: step 2 of 3, update web-a: ...".
func (e *StepError) Error() string {
	return fmt.Sprintf("slicer: step %d of %d, %s %s: %v", e.Done+1, e.Total, e.Verb, e.Name, e.Err)
}

// Unwrap returns Err, so that apierrors.IsConflict and the like see it.
func (e *StepError) Unwrap() error { return e.Err }

// Apply carries out the steps in their order and stops at the first that fails, with a *StepError. nil: all steps are done, or
// the namespace is being deleted.
//
// A delete that fails with NotFound is done. A create that fails because the namespace is being deleted is no failure: Apply
// stops, because all slices are about to go. After any other error read the slices again and make a new plan: Conflict and
// AlreadyExists say that the plan was made from a stale view. A Writer that lacks a function that the plan needs is an error
// before the first write, and no *StepError.
func (p Plan) Apply(w Writer) error {
	if err := w.check(p.Steps); err != nil {
		return err
	}
	for i := range p.Steps {
		step := &p.Steps[i]
		failed := &StepError{Done: i, Total: len(p.Steps), Verb: step.Verb, Name: step.name()}
		if failed.Err = w.write(step); failed.Err == nil {
			continue
		}
		if step.Verb == Create && apierrors.HasStatusCause(failed.Err, corev1.NamespaceTerminatingCause) {
			return nil
		}
		return failed
	}
	return nil
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

// Pointers returns a pointer to each value of a list, in its order: typed clients list values, and this package takes
// pointers. nil and empty give an empty list.
func Pointers[T any](list []T) []*T {
	pointers := make([]*T, len(list))
	for i := range list {
		pointers[i] = &list[i]
	}
	return pointers
}
