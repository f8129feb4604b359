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

// recorder notes each write as verb and name, and fails as fail says. Then it zeroes the object, as
// a client may.
func recorder(log *[]string, fail func(verb string) error) publish.Writer {
	write := func(verb string) func(*discoveryv1.EndpointSlice) error {
		return func(s *discoveryv1.EndpointSlice) error {
			*log = append(*log, verb+" "+s.Name)
			err := fail(verb)
			if err != nil {
				*s = discoveryv1.EndpointSlice{}
			}
			return err
		}
	}
	return publish.Writer{
		Create: write("create"), Update: write("update"),
		Delete: func(old *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
			if *p.UID != old.UID || *p.ResourceVersion != old.ResourceVersion {
				return errors.New("the preconditions are not those of the slice")
			}
			return write("delete")(old)
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
		err := publish.Apply(threeVerbs(), recorder(&log, func(verb string) error {
			if verb == c.verb {
				return c.err
			}
			return nil
		}))
		done, stopped := len(all), (*publish.StepError)(nil)
		if errors.As(err, &stopped) {
			done = stopped.Done
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

// TestApplyGeneratedName: a name that the API server completes is printed with a star.
func TestApplyGeneratedName(t *testing.T) {
	plan := threeVerbs()
	plan.Steps[0].New.Name, plan.Steps[0].New.GenerateName = "", "web-"
	var log []string
	err := publish.Apply(plan, recorder(&log, func(string) error { return errors.New("no answer") }))
	if want := "publish: step 1 of 3, create web-*: no answer"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestApplyWithoutFunctions: a function that the plan needs and the Writer does not have is
// reported before the first write.
func TestApplyWithoutFunctions(t *testing.T) {
	for name, remove := range map[string]func(*publish.Writer){
		"Create": func(w *publish.Writer) { w.Create = nil },
		"Update": func(w *publish.Writer) { w.Update = nil },
		"Delete": func(w *publish.Writer) { w.Delete = nil },
	} {
		var log []string
		w := recorder(&log, never)
		remove(&w)
		err := publish.Apply(threeVerbs(), w)
		if err == nil || errors.As(err, new(*publish.StepError)) ||
			!strings.Contains(err.Error(), "Writer."+name+" is nil") || len(log) > 0 {
			t.Errorf("without %s: %v, wrote %q", name, err, log)
		}
	}
	if err := publish.Apply(slicer.Plan{}, publish.Writer{}); err != nil {
		t.Errorf("nothing to do: %v", err)
	}
	for _, step := range []slicer.Step{{}, {Verb: slicer.Create}, {Verb: slicer.Delete},
		{Verb: "patch", New: &discoveryv1.EndpointSlice{}}} {
		var log []string
		plan := threeVerbs()
		plan.Steps = append(plan.Steps, step)
		err := publish.Apply(plan, recorder(&log, never))
		if err == nil || !strings.Contains(err.Error(), "step 4 of 4 is not complete") || len(log) > 0 {
			t.Errorf("step %+v, which Compute does not make: %v", step, err)
		}
	}
}

// client has the methods of client-go's client that write.
type client struct{ log []string }

func (c *client) note(verb string, s *discoveryv1.EndpointSlice) (*discoveryv1.EndpointSlice, error) {
	c.log = append(c.log, verb+" "+s.Name)
	stored := s.DeepCopy()
	stored.ResourceVersion = "99"
	return stored, nil
}

func (c *client) Create(_ context.Context, s *discoveryv1.EndpointSlice,
	_ metav1.CreateOptions) (*discoveryv1.EndpointSlice, error) {
	return c.note("create", s)
}

func (c *client) Update(_ context.Context, s *discoveryv1.EndpointSlice,
	_ metav1.UpdateOptions) (*discoveryv1.EndpointSlice, error) {
	return c.note("update", s)
}

func (c *client) Delete(_ context.Context, name string, o metav1.DeleteOptions) error {
	c.log = append(c.log, fmt.Sprint("delete ", name, " ", *o.Preconditions.UID, " ", *o.Preconditions.ResourceVersion))
	return nil
}

// TestClientWriter: the client gets each step, and its answers are in the plan. Without a client,
// the error says what to do.
func TestClientWriter(t *testing.T) {
	plan, c := threeVerbs(), &client{}
	if err := publish.Apply(plan, publish.ClientWriter(t.Context(), c)); err != nil {
		t.Fatal(err)
	}
	if want := []string{"create web-c", "update web-a", "delete web-b uid-web-b 4"}; !slices.Equal(c.log, want) {
		t.Errorf("wrote %q, want %q", c.log, want)
	}
	for _, s := range plan.After() {
		if s.ResourceVersion != "99" {
			t.Errorf("%s has resourceVersion %s", s.Name, s.ResourceVersion)
		}
	}
	for _, step := range threeVerbs().Steps {
		err := publish.Apply(slicer.Plan{Steps: []slicer.Step{step}}, publish.ClientWriter(t.Context(), nil))
		if err == nil || !strings.Contains(err.Error(), "client of ClientWriter is nil: give") {
			t.Errorf("%s without a client: %v", step.Verb, err)
		}
	}
}
