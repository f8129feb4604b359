package cluster

import (
	"errors"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/slicewright/slicewright/examples/controller/network"
	"github.com/slicewright/slicewright/slicer"
)

// TestApplyToLateCache applies each kind of step to a slice that somebody changed, made or deleted since the plan was
// made: it fails and changes nothing, except for the delete of what is gone already.
func TestApplyToLateCache(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	svc := c.service("web")
	c.pods("web", 7)
	r := c.start(&wire{})
	before := c.converge()
	r.stop()
	c.remove("web-0", "web-1", "web-2", "web-3") // a slice of three, and one of another
	steps := c.plan(svc).Steps
	var update, remove slicer.Step
	for _, s := range steps {
		switch s.Verb {
		case slicer.Update:
			update = s
		case slicer.Delete:
			remove = s
		}
	}
	if len(steps) != 2 || update.New == nil || remove.Old == nil {
		t.Fatalf("no update and delete:\n%s", c.plan(svc))
	}
	create := slicer.Step{Verb: slicer.Create, New: before[0].DeepCopy()}
	create.New.ResourceVersion, create.New.UID = "", ""
	for i := range before {
		change(c, &before[i], func(s *discoveryv1.EndpointSlice) { s.Annotations["touched"] = "since" })
	}
	raw := c.raw()
	for _, row := range []struct {
		step slicer.Step
		says func(error) bool
	}{{create, apierrors.IsAlreadyExists}, {update, apierrors.IsConflict}, {remove, apierrors.IsConflict}} {
		err := slicer.Plan{Steps: []slicer.Step{row.step, remove}}.Apply(network.Writer(t.Context(), c.admin))
		if stopped := (*slicer.StepError)(nil); !errors.As(err, &stopped) || stopped.Done != 0 || !row.says(err) {
			t.Errorf("%s: %v", row.step.Verb, err)
		}
	}
	for name, text := range c.raw() {
		if text != raw[name] {
			t.Errorf("slice %s changed", name)
		}
	}
	c.do(c.admin.Delete(t.Context(), remove.Old.DeepCopy()))
	if err := (slicer.Plan{Steps: []slicer.Step{remove}}).Apply(network.Writer(t.Context(), c.admin)); err != nil {
		t.Errorf("delete of what is gone: %v", err)
	}
}
