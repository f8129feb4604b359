package conformance

import (
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
)

// Slicewright returns what the library writes, the plan that says why, and the Pods that it left out.
func Slicewright(c *Cluster) ([]Write, slicer.Plan, []slicer.Skip, error) {
	in, skips, err := slicer.FromService(c.Service, c.Pods, c.Node, slicer.ServiceOptions{TriggerTime: c.Trigger})
	if err != nil {
		return nil, slicer.Plan{}, nil, err
	}
	in.Existing = c.Slices
	in.Options.MaxEndpointsPerSlice = c.Max
	in.Options.Hints.Mode = hints.ModeFor(c.Service)
	if in.Options.Hints.Mode == hints.Proportional {
		in.Options.Hints.Weights = hints.NodeWeights(c.nodes(), hints.NodeOptions{})
	}
	plan, err := slicer.Compute(in)
	if err != nil {
		return nil, slicer.Plan{}, nil, err
	}
	return writesOf(plan), plan, skips, nil
}

func writesOf(plan slicer.Plan) []Write {
	var writes []Write
	for _, step := range plan.Steps {
		w := Write{Verb: step.Verb, Slice: step.New}
		if step.Old != nil {
			w.Name = step.Old.Name
		}
		writes = append(writes, w)
	}
	return writes
}
