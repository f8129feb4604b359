package slices

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
)

// Fixed applies the plan to an API server that has the existing slices, and checks that every step is taken and that a
// plan on the result has nothing to write (G3).
func Fixed(in given.World, plan slicer.Plan) error {
	var server sim.Server
	server.Put(in.Existing...)
	for i, step := range plan.Steps {
		if err := Apply(&server, step); err != nil {
			if in.Options.Invalid == slicer.Pass && apierrors.IsInvalid(err) {
				return nil
			}
			return fmt.Errorf("G2: step %d fails: %w", i, err)
		}
	}
	next := in
	next.Existing = server.List()
	again, err := next.Compute()
	if err != nil {
		return fmt.Errorf("G3: planning again fails: %w", err)
	}
	if again.Empty() {
		return nil
	}
	return fmt.Errorf("G3: planning again wants %d writes:\n%s", len(again.Steps), Describe(next, again))
}

// Apply takes one step on the server, as a caller should.
func Apply(server *sim.Server, step slicer.Step) error {
	var err error
	switch step.Verb {
	case slicer.Create:
		_, err = server.Create(step.New)
	case slicer.Update:
		_, err = server.Update(step.New)
	case slicer.Delete:
		if err = server.Delete(step.Old.Name, step.Preconditions()); apierrors.IsNotFound(err) {
			err = nil
		}
	}
	return err
}
