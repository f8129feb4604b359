package conformance

import (
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// Slicewright returns what the library writes, and the plan that says why. The options are the zero
// ones except the maximum and, in topology mode Auto, the weights of zones. The trigger time is the
// cluster's.
func Slicewright(c *Cluster) ([]Write, slicer.Plan, error) {
	o := options(c)
	if hints.ModeOf(c.Service) == hints.Auto {
		o.Hints.Weights = hints.NodeWeights(c.nodes(), nil)
	}
	in, err := services.Input(c.Service, c.Pods, c.Node, o)
	if err != nil {
		return nil, slicer.Plan{}, err
	}
	in.Set.TriggerTime = &c.Trigger
	plan, err := slicer.Compute(in, c.Slices)
	return writesOf(plan), plan, err
}

func options(c *Cluster) services.Options {
	return services.Options{ManagedBy: services.KubernetesManager, Slices: slicer.Options{
		MaxEndpointsPerSlice: c.Max, GeneratedNames: true, // as Kubernetes
	}}
}

func writesOf(plan slicer.Plan) []Write {
	writes := make([]Write, 0, len(plan.Steps))
	for _, step := range plan.Steps {
		w := Write{Verb: step.Verb, Slice: step.New}
		if step.Old != nil {
			w.Name = step.Old.Name
		}
		writes = append(writes, w)
	}
	return writes
}
