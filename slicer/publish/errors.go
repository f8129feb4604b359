package publish

import (
	"errors"
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/tracker"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// ErrWait is in the error of a [Syncer] (errors.Is) if the call came too early: the cache has not
// shown the last write yet, or a Node that a Pod names is not known yet. Call again soon. Nothing
// is wrong, and nothing has to be reported.
var ErrWait = errors.New("publish: call again soon")

// outcome returns the error of a call that has ended. If err is nil, that is an error with the
// Skips of the plan for which a later call is needed.
func outcome(plan slicer.Plan, err error) error {
	if err != nil {
		return failure(err)
	}
	retry := plan.Retry()
	if retry == nil {
		return nil
	}
	for i := range plan.Skips {
		if s := &plan.Skips[i]; s.Retry && s.Reason != services.NodeMissing {
			return retry // Options.Addresses has failed: call again with back-off, not soon
		}
	}
	return fmt.Errorf("%w: %v", ErrWait, retry)
}

// failure returns err. If err is ErrNodesUnknown, it adds ErrWait, because the cache of Nodes is
// then not filled yet.
func failure(err error) error {
	if errors.Is(err, services.ErrNodesUnknown) {
		return fmt.Errorf("%w: %v", ErrWait, err)
	}
	return err
}

// check returns an error if something is wrong with the arguments of a call.
func (s *Syncer) check(set *tracker.Set, plan func([]*discoveryv1.EndpointSlice) (slicer.Plan, error)) error {
	if s == nil || s.memory == nil {
		return field.Required(field.NewPath("syncer"), "make one with publish.New")
	}
	if s.mistakes != nil {
		return s.mistakes
	}
	if plan == nil {
		return field.Required(field.NewPath("plan"), "give a function that makes a plan")
	}
	if set.Namespace != "" && set.Name != "" && set.ManagedBy != "" {
		return nil
	}
	if _, err := plan(nil); err != nil {
		return err // it names the arguments that the caller gave, such as the Service
	}
	return field.Required(field.NewPath("set"), "give the Namespace, Name and ManagedBy of the plan")
}
