package conformance

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// Slicewright returns what the library writes, and the plan that says why. The options are
// the zero ones except the maximum and the weights of zones; change, if not nil, changes them. The trigger time is the cluster's.
func Slicewright(c *Cluster, change func(*slicer.Options)) ([]Write, slicer.Plan, error) {
	in, err := service.Input(c.Service, c.Pods, c.Node, options(c, c.weights(), change))
	if err != nil {
		return nil, slicer.Plan{}, err
	}
	in.Set.TriggerTime = &c.Trigger
	return written(slicer.Compute(in, c.Slices))
}

// plan is for just these Pods, as a lister finds them, with weights that a controller computes when Nodes change. The trigger time is
// that of the Pods.
func plan(c *Cluster, pods []*corev1.Pod, weights hints.Weights, change func(*slicer.Options)) ([]Write, slicer.Plan, error) {
	return written(service.Plan(c.Service, pods, c.Node, c.Slices, options(c, weights, change)))
}

func options(c *Cluster, weights hints.Weights, change func(*slicer.Options)) service.Options {
	o := service.Options{ManagedBy: service.KubernetesManager, Slices: slicer.Options{
		MaxEndpointsPerSlice: c.Max, GeneratedNames: true, // as Kubernetes
		Hints: hints.Options{Weights: weights},
	}}
	if change != nil {
		o.Slices = edited(o.Slices, change)
	}
	return o
}

func written(plan slicer.Plan, err error) ([]Write, slicer.Plan, error) {
	if err != nil {
		return nil, slicer.Plan{}, err
	}
	return writesOf(plan), plan, nil
}

// edited is apart, so that options which nobody changes are not allocated.
func edited(o slicer.Options, change func(*slicer.Options)) slicer.Options {
	change(&o)
	return o
}

// weights are those of the zones, if the Service asks for topology mode Auto.
func (c *Cluster) weights() hints.Weights {
	if hints.ModeOf(c.Service) != hints.Proportional {
		return hints.Weights{}
	}
	return hints.NodeWeights(c.nodes(), nil)
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

// A Side plans the writes of one implementation.
type Side func(*Cluster) ([]Write, error)

// ByReference is Kubernetes.
func ByReference(c *Cluster) ([]Write, error) { return NewReference(c).Plan(c) }

// BySlicewright is the library with its zero options.
func BySlicewright(c *Cluster) ([]Write, error) { return With(nil)(c) }

// With is the library with other options.
func With(change func(*slicer.Options)) Side {
	return func(c *Cluster) ([]Write, error) {
		writes, _, err := Slicewright(c, change)
		return writes, err
	}
}

// Recommended is the library with what its documentation recommends: slices that are joined where they are written
// anyway, and thresholds with room between them.
func Recommended(c *Cluster) ([]Write, error) { return With(recommend)(c) }

func recommend(o *slicer.Options) {
	o.Packing = slicer.Compact
	o.Hints.Thresholds = hints.Thresholds{Aim: 10, Start: 20, Stop: 30}
}
