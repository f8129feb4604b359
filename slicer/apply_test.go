package slicer_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/slicewright/slicewright/slicer"
)

// threeVerbs is a plan with a create, an update and a delete.
func threeVerbs(t *testing.T) slicer.Plan {
	return planned(t, input(t, `options max=1 stable-names no-placeholder

slices
web-a ipv4 rv=3 uid=a | http:80 | 10.0.0.1
web-b ipv6 rv=4 uid=b | http:80 | fd00::1

want
http:80 | 10.0.0.1{!ready} 10.0.0.2`))
}

// recorder notes each write as verb and name, and fails as fail says. Then it zeroes the object, as a client may.
func recorder(log *[]string, fail func(verb, name string) error) slicer.Writer {
	write := func(verb string) func(*discoveryv1.EndpointSlice) error {
		return func(s *discoveryv1.EndpointSlice) error {
			*log = append(*log, verb+" "+s.Name)
			err := fail(verb, s.Name)
			if err != nil {
				*s = discoveryv1.EndpointSlice{}
			}
			return err
		}
	}
	return slicer.Writer{
		Create: write("create"), Update: write("update"),
		Delete: func(old *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
			if *p.UID != old.UID || *p.ResourceVersion != old.ResourceVersion {
				return errors.New("the preconditions are not those of the slice")
			}
			return write("delete")(old)
		},
	}
}

// doneSteps is how many steps Apply did before it returned err.
func doneSteps(plan slicer.Plan, err error) int {
	var stopped *slicer.StepError
	if errors.As(err, &stopped) {
		return stopped.Done
	}
	return len(plan.Steps)
}

// client has the methods of client-go's client.
type client struct{ log []string }

func (c *client) note(verb string, s *discoveryv1.EndpointSlice) (*discoveryv1.EndpointSlice, error) {
	c.log = append(c.log, verb+" "+s.Name)
	stored := s.DeepCopy()
	stored.ResourceVersion = "99"
	return stored, nil
}

func (c *client) Create(_ context.Context, s *discoveryv1.EndpointSlice, _ metav1.CreateOptions) (*discoveryv1.EndpointSlice, error) {
	return c.note("create", s)
}

func (c *client) Update(_ context.Context, s *discoveryv1.EndpointSlice, _ metav1.UpdateOptions) (*discoveryv1.EndpointSlice, error) {
	return c.note("update", s)
}

func (c *client) Delete(_ context.Context, name string, o metav1.DeleteOptions) error {
	c.log = append(c.log, fmt.Sprint("delete ", name, " ", *o.Preconditions.UID, " ", *o.Preconditions.ResourceVersion))
	return nil
}

// TestClientWriter: the client gets each step, and its answers are in the plan.
func TestClientWriter(t *testing.T) {
	plan, c := threeVerbs(t), &client{}
	if err := plan.Apply(slicer.ClientWriter(t.Context(), c)); err != nil {
		t.Fatal(err)
	}
	if want := []string{"create " + plan.Steps[0].New.Name, "update web-a", "delete web-b b 4"}; !slices.Equal(c.log, want) {
		t.Errorf("wrote %q, want %q", c.log, want)
	}
	for _, s := range plan.After() {
		if s.ResourceVersion != "99" {
			t.Errorf("%s has resourceVersion %s", s.Name, s.ResourceVersion)
		}
	}
}

func TestApply(t *testing.T) {
	resource := schema.GroupResource{Group: discoveryv1.GroupName, Resource: "endpointslices"}
	create := threeVerbs(t).Steps[0].New.Name
	dying := apierrors.NewForbidden(resource, create, errors.New("it is being terminated"))
	dying.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}
	all := []string{"create " + create, "update web-a", "delete web-b"}
	for _, c := range []struct {
		why   string
		verb  string // that fails
		err   error
		done  int
		tried int              // 0: all that are done, and the one that fails
		is    func(error) bool // what the caller asks of the error; nil: there is none
	}{
		{why: "all in order", done: 3},
		{why: "a create that collides", verb: "create", err: apierrors.NewAlreadyExists(resource, create), done: 0, is: apierrors.IsAlreadyExists},
		{why: "nothing can be created in a namespace that is being deleted, which is no failure", verb: "create", err: dying, done: 3, tried: 1},
		{why: "a conflict stops", verb: "update", err: apierrors.NewConflict(resource, "web-a", errors.New("changed")), done: 1, is: apierrors.IsConflict},
		{why: "an update of what is gone is no success", verb: "update", err: apierrors.NewNotFound(resource, "web-a"), done: 1, is: apierrors.IsNotFound},
		{why: "a delete of what changed", verb: "delete", err: apierrors.NewConflict(resource, "web-b", errors.New("changed")), done: 2, is: apierrors.IsConflict},
		{why: "a delete of what is gone is done", verb: "delete", err: apierrors.NewNotFound(resource, "web-b"), done: 3},
	} {
		var log []string
		plan := threeVerbs(t)
		err := plan.Apply(recorder(&log, func(verb, _ string) error {
			if verb == c.verb {
				return c.err
			}
			return nil
		}))
		done := doneSteps(plan, err)
		if done != c.done || (err == nil) != (c.is == nil) || err != nil && !c.is(err) {
			t.Errorf("%s: %d done, %v", c.why, done, err)
		}
		if want := all[:cmp.Or(c.tried, min(len(all), done+1))]; !slices.Equal(log, want) {
			t.Errorf("%s: wrote %q, want %q", c.why, log, want)
		}
		if begin := fmt.Sprintf("slicer: step %d of 3, ", done+1); err != nil && !strings.HasPrefix(err.Error(), begin+all[done]+": ") {
			t.Errorf("%s: the error does not name the step: %v", c.why, err)
		}
	}
}

// TestApplyWithoutFunctions: what the plan needs and the Writer lacks is reported before the first write.
func TestApplyWithoutFunctions(t *testing.T) {
	plan := threeVerbs(t)
	for verb, remove := range map[string]func(*slicer.Writer){
		"create": func(w *slicer.Writer) { w.Create = nil },
		"update": func(w *slicer.Writer) { w.Update = nil },
		"delete": func(w *slicer.Writer) { w.Delete = nil },
	} {
		var log []string
		w := recorder(&log, func(string, string) error { return nil })
		remove(&w)
		if err := plan.Apply(w); err == nil || errors.As(err, new(*slicer.StepError)) || !strings.Contains(err.Error(), verb) || len(log) > 0 {
			t.Errorf("without %s: %v, wrote %q", verb, err, log)
		}
	}
	if err := (slicer.Plan{}).Apply(slicer.Writer{}); err != nil {
		t.Errorf("nothing to do: %v", err)
	}
	for _, step := range []slicer.Step{{}, {Verb: slicer.Create}, {Verb: slicer.Delete}, {Verb: "patch", New: &discoveryv1.EndpointSlice{}}} {
		var log []string
		err := (slicer.Plan{Steps: []slicer.Step{step}}).Apply(recorder(&log, func(string, string) error { return nil }))
		if err == nil || len(log) > 0 {
			t.Errorf("step %+v of nobody's plan: %v", step, err)
		}
	}
}
