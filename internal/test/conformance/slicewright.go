package conformance

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// Slicewright returns what the library writes, and the plan that says why. The options are the zero
// ones except the maximum and, in topology mode Auto, the weights of zones. The trigger time is the
// cluster's.
func Slicewright(c *Cluster) ([]Write, slicer.Plan, error) {
	in, err := services.FromPods(c.Service, c.Pods, nodeLister{nodes: c.Nodes}, options)
	if err != nil {
		return nil, slicer.Plan{}, err
	}
	if in.Hints.Mode == hints.Auto {
		in.Hints.Weights = hints.NodeWeights(c.nodes(), nil)
	}
	in.Options.MaxEndpointsPerSlice = c.Max
	in.Meta.Annotations = map[string]string{corev1.EndpointsLastChangeTriggerTime: c.Trigger.Format(time.RFC3339Nano)}
	plan, err := slicer.Compute(in, c.Slices)
	return writesOf(plan), plan, err
}

var options = services.Options{ManagedBy: services.KubernetesManager, ReplacesKubernetes: true}

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
