package publish

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/quote"
	"github.com/slicewright/slicewright/slicer"
)

// Apply only carries out a plan, such as one of slicer.Compute or slicer.Orphans. It calls only
// Create, Update and Delete of c, and does not change the plan. Do not call it for a Key that a
// Syncer has, which would not know of the writes. The error is that of the first write that fails;
// a delete of a slice that is gone is no failure. If a namespace is being deleted, nothing more is
// written, without an error.
func Apply(ctx context.Context, plan slicer.Plan, c Client) error {
	return apply(ctx, plan, c, func(*slicer.Step, *discoveryv1.EndpointSlice, error) {})
}

// apply calls answered for each write that was sent.
func apply(
	ctx context.Context, plan slicer.Plan, c Client,
	answered func(step *slicer.Step, answer *discoveryv1.EndpointSlice, err error),
) error {
	if err := complete(plan.Steps, &c); err != nil {
		return err
	}
	for i := range plan.Steps {
		step := &plan.Steps[i]
		answer, err := c.write(ctx, step)
		answered(step, answer, err)
		switch {
		case err == nil, step.Verb == slicer.Delete && apierrors.IsNotFound(err):
		case step.Verb == slicer.Create && apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause):
			return nil
		default:
			return fmt.Errorf("publish: step %d of %d, %s %s: %w", i+1, len(plan.Steps), step.Verb, nameOf(step), err)
		}
	}
	return nil
}

func (c *Client) write(ctx context.Context, s *slicer.Step) (*discoveryv1.EndpointSlice, error) {
	switch s.Verb {
	case slicer.Create:
		return c.Create(ctx, s.New)
	case slicer.Update:
		return c.Update(ctx, s.New)
	default:
		return nil, c.Delete(ctx, s.Old, preconditions(s.Old))
	}
}

// preconditions returns the preconditions of a delete. One is nil if the slice does not have the
// value.
func preconditions(old *discoveryv1.EndpointSlice) *metav1.Preconditions {
	p := &metav1.Preconditions{}
	if uid := old.UID; uid != "" {
		p.UID = &uid
	}
	if version := old.ResourceVersion; version != "" {
		p.ResourceVersion = &version
	}
	return p
}

// complete returns an error if c does not have a function that the steps need, or if a step is not
// complete.
func complete(steps []slicer.Step, c *Client) error {
	var faults []error
	missing := map[string]bool{
		slicer.Create: c.Create == nil, slicer.Update: c.Update == nil, slicer.Delete: c.Delete == nil,
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
			faults = append(faults, fmt.Errorf("publish: the Client cannot %s, and a step of the plan does: "+
				"give the function", s.Verb))
		}
	}
	return errors.Join(faults...)
}

func nameOf(s *slicer.Step) string {
	if s.New != nil {
		return quote.Text(s.New.Name)
	}
	return quote.Text(s.Old.Name)
}
