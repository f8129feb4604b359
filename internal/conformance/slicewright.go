package conformance

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
)

// Slicewright returns what the library writes, the plan that says why, and the Pods that it left out. The options are
// the zero ones but for the maximum and hints, which are those that the Service asks for; change, if not nil, changes
// them.
func Slicewright(c *Cluster, change func(*slicer.Options)) ([]Write, slicer.Plan, []slicer.Skip, error) {
	return plan(c, c.Pods, slicer.ServiceOptions{TriggerTime: c.Trigger}, change)
}

// Worker is the library in a controller's worker, which asks a lister for the Service's Pods and has a Scratch of its
// own.
type Worker struct {
	scratch slicer.Scratch
	change  func(*slicer.Options)
}

// Reconcile returns what the library writes for just these Pods.
func (w *Worker) Reconcile(c *Cluster, pods []*corev1.Pod) ([]Write, error) {
	o := slicer.ServiceOptions{TriggerTime: c.Trigger, Selected: true, Scratch: &w.scratch}
	writes, _, _, err := plan(c, pods, o, w.change)
	return writes, err
}

func plan(
	c *Cluster, pods []*corev1.Pod, o slicer.ServiceOptions, change func(*slicer.Options),
) ([]Write, slicer.Plan, []slicer.Skip, error) {
	in, skips, err := slicer.FromService(c.Service, pods, c.Node, o)
	if err != nil {
		return nil, slicer.Plan{}, nil, err
	}
	in.Existing = c.Slices
	in.Options.MaxEndpointsPerSlice = c.Max
	in.Options.GeneratedNames = true // as Kubernetes
	in.Options.Hints.Mode = hints.ModeFor(c.Service)
	if in.Options.Hints.Mode == hints.Proportional {
		in.Options.Hints.Weights = hints.NodeWeights(c.nodes(), hints.NodeOptions{})
	}
	if change != nil {
		change(&in.Options)
	}
	plan, err := slicer.Compute(in)
	if err != nil {
		return nil, slicer.Plan{}, nil, err
	}
	return writesOf(plan), plan, skips, nil
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
		writes, _, _, err := Slicewright(c, change)
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
