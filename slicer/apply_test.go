package slicer_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

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

// recorder notes each write as verb and name, and fails as fail says.
func recorder(log *[]string, fail func(verb, name string) error) slicer.Writer {
	write := func(verb string) func(*discoveryv1.EndpointSlice) error {
		return func(s *discoveryv1.EndpointSlice) error {
			*log = append(*log, verb+" "+s.Name)
			return fail(verb, s.Name)
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

func TestApply(t *testing.T) {
	resource := schema.GroupResource{Group: discoveryv1.GroupName, Resource: "endpointslices"}
	plan := threeVerbs(t)
	create := plan.Steps[0].New.Name
	all := []string{"create " + create, "update web-a", "delete web-b"}
	for _, c := range []struct {
		why  string
		verb string // that fails
		err  error
		done int
		is   func(error) bool // what the caller asks of the error; nil: there is none
	}{
		{why: "all in order", done: 3},
		{why: "a create that collides", verb: "create", err: apierrors.NewAlreadyExists(resource, create), done: 0, is: apierrors.IsAlreadyExists},
		{why: "a conflict stops", verb: "update", err: apierrors.NewConflict(resource, "web-a", errors.New("changed")), done: 1, is: apierrors.IsConflict},
		{why: "an update of what is gone is no success", verb: "update", err: apierrors.NewNotFound(resource, "web-a"), done: 1, is: apierrors.IsNotFound},
		{why: "a delete of what changed", verb: "delete", err: apierrors.NewConflict(resource, "web-b", errors.New("changed")), done: 2, is: apierrors.IsConflict},
		{why: "a delete of what is gone is done", verb: "delete", err: apierrors.NewNotFound(resource, "web-b"), done: 3},
	} {
		var log []string
		done, err := plan.Apply(recorder(&log, func(verb, _ string) error {
			if verb == c.verb {
				return c.err
			}
			return nil
		}))
		if done != c.done || (err == nil) != (c.is == nil) || err != nil && !c.is(err) {
			t.Errorf("%s: %d done, %v", c.why, done, err)
		}
		if want := all[:min(len(all), done+1)]; !slices.Equal(log, want) {
			t.Errorf("%s: wrote %q, want %q", c.why, log, want)
		}
		if err != nil && !strings.Contains(err.Error(), all[done]) {
			t.Errorf("%s: the error does not name the step: %v", c.why, err)
		}
	}
}

// TestApplyWithoutFunctions: what the plan needs and the Writer lacks is told before the first write.
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
		if done, err := plan.Apply(w); done != 0 || err == nil || !strings.Contains(err.Error(), verb) || len(log) > 0 {
			t.Errorf("without %s: %d done, %v, wrote %q", verb, done, err, log)
		}
	}
	twice := slicer.Plan{Steps: slices.Concat(plan.Steps, plan.Steps)}
	if _, err := twice.Apply(slicer.Writer{}); err == nil || len(strings.Split(err.Error(), "\n")) != 3 {
		t.Errorf("not each of the three functions is missed once: %v", err)
	}
	if done, err := (slicer.Plan{}).Apply(slicer.Writer{}); done != 0 || err != nil {
		t.Errorf("nothing to do: %d, %v", done, err)
	}
	for _, step := range []slicer.Step{{}, {Verb: slicer.Create}, {Verb: slicer.Delete}, {Verb: "patch", New: &discoveryv1.EndpointSlice{}}} {
		var log []string
		done, err := (slicer.Plan{Steps: []slicer.Step{step}}).Apply(recorder(&log, func(string, string) error { return nil }))
		if done != 0 || err == nil || len(log) > 0 {
			t.Errorf("step %+v of nobody's plan: %d done, %v", step, done, err)
		}
	}
}
