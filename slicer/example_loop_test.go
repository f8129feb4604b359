package slicer_test

import (
	"errors"
	"fmt"
	"log"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/slicewright/slicewright/slicer"
)

// The loop of the package comment. Somebody else writes web-a between the list and the update, so that the first sync fails.
func Example() {
	stored := exampleSlice("web-a", "7", endpoint("10.0.0.1"))
	list := func() []*discoveryv1.EndpointSlice { return []*discoveryv1.EndpointSlice{stored.DeepCopy()} }
	late := true
	w := slicer.Writer{Update: func(s *discoveryv1.EndpointSlice) error {
		if late {
			late, stored.ResourceVersion = false, "8"
		}
		if s.ResourceVersion != stored.ResourceVersion {
			return apierrors.NewConflict(discoveryv1.Resource("endpointslices"), s.Name, errors.New("it was modified"))
		}
		stored = s
		return nil
	}}
	in := slicer.Input{Set: exampleSet, Groups: []slicer.Group{{
		Ports:     examplePorts,
		Endpoints: []discoveryv1.Endpoint{endpoint("10.0.0.1"), endpoint("10.0.0.2")},
	}}}
	fmt.Println(apierrors.IsConflict(sync(in, list(), w)), len(stored.Endpoints))
	fmt.Println(sync(in, list(), w), len(stored.Endpoints))
	// Output:
	// true 1
	// <nil> 2
}

func sync(in slicer.Input, existing []*discoveryv1.EndpointSlice, w slicer.Writer) error {
	plan, err := slicer.Compute(in, existing)
	if err != nil {
		return err // a mistake in the call; the error names the field
	}
	if w := plan.Warnings(); len(w) > 0 {
		log.Print(w) // what is not published, and why; everything else is
	}
	return errors.Join(plan.Apply(w), plan.Retry()) // after Conflict, AlreadyExists or any other error: call again
}
