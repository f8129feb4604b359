package publish_test

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
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
)

var resource = discoveryv1.Resource("endpointslices")

// threeVerbs is a plan with a create, an update and a delete.
func threeVerbs() slicer.Plan {
	slice := func(name, version string) *discoveryv1.EndpointSlice {
		return &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID("uid-" + name),
			ResourceVersion: version}}
	}
	create := slice("web-c", "")
	create.UID = ""
	return slicer.Plan{Steps: []slicer.Step{
		{Verb: slicer.Create, New: create},
		{Verb: slicer.Update, Old: slice("web-a", "3"), New: slice("web-a", "3")},
		{Verb: slicer.Delete, Old: slice("web-b", "4")},
	}}
}

// recorder notes each write as verb and name, and fails as fail says.
func recorder(log *[]string, fail func(verb string) error) publish.Client {
	write := func(verb string) func(context.Context, *discoveryv1.EndpointSlice) (*discoveryv1.EndpointSlice, error) {
		return func(_ context.Context, s *discoveryv1.EndpointSlice) (*discoveryv1.EndpointSlice, error) {
			*log = append(*log, verb+" "+s.Name)
			return s.DeepCopy(), fail(verb)
		}
	}
	return publish.Client{
		Create: write("create"), Update: write("update"),
		Delete: func(ctx context.Context, old *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
			if *p.UID != old.UID || *p.ResourceVersion != old.ResourceVersion {
				return errors.New("the preconditions are not those of the slice")
			}
			_, err := write("delete")(ctx, old)
			return err
		},
	}
}

func never(string) error { return nil }

func TestApply(t *testing.T) {
	dying := apierrors.NewForbidden(resource, "web-c", errors.New("it is being terminated"))
	dying.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}
	all := []string{"create web-c", "update web-a", "delete web-b"}
	for _, c := range []struct {
		why   string
		verb  string // that fails
		err   error
		done  int
		tried int              // 0: all that are done, and the one that fails
		is    func(error) bool // what the caller asks of the error; nil: there is none
	}{
		{why: "all in order", done: 3},
		{why: "a create that collides", verb: "create", err: apierrors.NewAlreadyExists(resource, "web-c"), done: 0, is: apierrors.IsAlreadyExists},
		{why: "nothing can be created in a namespace that is being deleted, which is no failure", verb: "create", err: dying, done: 3, tried: 1},
		{why: "a conflict stops", verb: "update", err: apierrors.NewConflict(resource, "web-a", errors.New("changed")), done: 1, is: apierrors.IsConflict},
		{why: "an update of a slice that is gone", verb: "update", err: apierrors.NewNotFound(resource, "web-a"), done: 1, is: apierrors.IsNotFound},
		{why: "a delete of a slice that changed", verb: "delete", err: apierrors.NewConflict(resource, "web-b", errors.New("changed")), done: 2, is: apierrors.IsConflict},
		{why: "a delete of a slice that is gone is done", verb: "delete", err: apierrors.NewNotFound(resource, "web-b"), done: 3},
	} {
		var log []string
		err := publish.Apply(t.Context(), threeVerbs(), recorder(&log, func(verb string) error {
			if verb == c.verb {
				return c.err
			}
			return nil
		}))
		done := len(all)
		if err != nil {
			done = len(log) - 1
		}
		if done != c.done || (err == nil) != (c.is == nil) || err != nil && !c.is(err) {
			t.Errorf("%s: %d done, %v", c.why, done, err)
		}
		if want := all[:cmp.Or(c.tried, min(len(all), done+1))]; !slices.Equal(log, want) {
			t.Errorf("%s: wrote %q, want %q", c.why, log, want)
		}
		if err != nil && !strings.HasPrefix(err.Error(),
			fmt.Sprintf("publish: step %d of 3, %s: ", done+1, all[done])) {
			t.Errorf("%s: the error does not name the step: %v", c.why, err)
		}
	}
}

// TestApplyWithoutFunctions: a function that the plan needs and the Client does not have is
// reported before the first write.
func TestApplyWithoutFunctions(t *testing.T) {
	for name, remove := range map[string]func(*publish.Client){
		"Create": func(w *publish.Client) { w.Create = nil },
		"Update": func(w *publish.Client) { w.Update = nil },
		"Delete": func(w *publish.Client) { w.Delete = nil },
	} {
		var log []string
		w := recorder(&log, never)
		remove(&w)
		err := publish.Apply(t.Context(), threeVerbs(), w)
		if err == nil || !strings.Contains(err.Error(), "cannot "+strings.ToLower(name)) || len(log) > 0 {
			t.Errorf("without %s: %v, wrote %q", name, err, log)
		}
	}
	if err := publish.Apply(t.Context(), slicer.Plan{}, publish.Client{}); err != nil {
		t.Errorf("nothing to do: %v", err)
	}
	for _, step := range []slicer.Step{{}, {Verb: slicer.Create}, {Verb: slicer.Delete},
		{Verb: "patch", New: &discoveryv1.EndpointSlice{}}} {
		var log []string
		plan := threeVerbs()
		plan.Steps = append(plan.Steps, step)
		err := publish.Apply(t.Context(), plan, recorder(&log, never))
		if err == nil || !strings.Contains(err.Error(), "step 4 of 4 is not complete") || len(log) > 0 {
			t.Errorf("step %+v, which Compute does not make: %v", step, err)
		}
	}
}
