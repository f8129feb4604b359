package slices

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
)

// checkAccepted: the API server takes every object, also as a create, and none is above the maximum; while the parent is
// terminating a slice may stay as full as it is (G2).
func (o *outcome) checkAccepted() {
	for i := range o.plan.Steps {
		step := &o.plan.Steps[i]
		if step.New == nil {
			continue
		}
		most := o.max
		if step.Old != nil && o.in.Set.Terminating {
			most = max(most, len(step.Old.Endpoints))
		}
		if n := len(step.New.Endpoints); n > most {
			o.fail("G2", "step %d writes %d endpoints, more than %d", i, n, most)
		}
		if o.in.Options.Invalid == slicer.Pass {
			continue
		}
		c := step.New.DeepCopy()
		sim.Default(c)
		if c.Name == "" && c.GenerateName != "" {
			c.Name = "named-by-the-server"
		}
		var errs field.ErrorList
		if step.Verb == slicer.Update {
			errs = sim.UpdateErrors(c, step.Old)
			c.Finalizers = nil
		}
		for _, err := range append(errs, sim.CreateErrors(c)...) {
			o.fail("G2", "step %d is refused: %v", i, err)
		}
	}
}
