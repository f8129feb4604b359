package check

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
)

// Pure calls slicer.Compute again, and checks that the input is what it was before the first call,
// that the answer is the same, and that the two plans share nothing that they may be changed
// through (G8, G7). Not even an order may differ, and what is nil stays nil.
func Pure(in, before gen.Case, plan slicer.Plan, err error) error {
	var failures []error
	pointers := slices.Clone(in.Existing)
	again, errAgain := in.Compute()
	if !reflect.DeepEqual(in, before) || !slices.Equal(in.Existing, pointers) {
		failures = append(failures, fmt.Errorf("G8: Compute changed its input"))
	}
	if fmt.Sprint(err) != fmt.Sprint(errAgain) || !slices.Equal(PlanText(plan), PlanText(again)) {
		failures = append(failures, fmt.Errorf("G7: the same input gives another answer (errors %v, %v)", err,
			errAgain))
	}
	if shared := Memory(in, plan, again); shared != nil {
		failures = append(failures, shared)
	}
	return errors.Join(failures...)
}

// Copy copies an input deeply, keeping nil nil and empty empty.
func Copy(in gen.Case) gen.Case {
	out := in
	out.Key.MatchLabels = maps.Clone(in.Key.MatchLabels)
	out.Meta.Labels = maps.Clone(in.Meta.Labels)
	out.Meta.Annotations = maps.Clone(in.Meta.Annotations)
	out.Options.Adopt, out.Options.AddressTypes = slices.Clone(in.Options.Adopt), slices.Clone(in.Options.AddressTypes)
	out.Pending = slices.Clone(in.Pending)
	owners := discoveryv1.EndpointSlice{}
	owners.OwnerReferences = in.Meta.OwnerReferences
	out.Meta.OwnerReferences = owners.DeepCopy().OwnerReferences
	out.Groups = slices.Clone(in.Groups)
	for i, g := range in.Groups {
		out.Groups[i].Ports = (&discoveryv1.EndpointSlice{Ports: g.Ports}).DeepCopy().Ports
		out.Groups[i].Endpoints = slices.Clone(g.Endpoints)
		for j := range g.Endpoints {
			out.Groups[i].Endpoints[j].API = *g.Endpoints[j].API.DeepCopy()
		}
	}
	out.Existing = slices.Clone(in.Existing)
	for i, s := range in.Existing {
		out.Existing[i] = s.DeepCopy()
	}
	return out
}

// Memory checks that new objects and decisions share no memory with the input or with each other,
// and no two parts of one share any (G8). Plans of several calls are looked at together: what they
// share is a variable of the package. What the error of a Warning points to is not looked at,
// because it wraps the caller's own.
func Memory(in gen.Case, plans ...slicer.Plan) error {
	var news []Memories
	for i, plan := range plans {
		news = append(news, Memories{Owner: fmt.Sprintf("the decisions of plan %d", i), Of: &plan.Hints})
		for j := range plan.Steps {
			if n := plan.Steps[j].New; n != nil {
				news = append(news, Memories{Owner: fmt.Sprintf("plan %d step %d", i, j), Of: n})
			}
		}
	}
	if a, b, shared := Shared(Memories{Owner: "the input", Of: &in}, news...); shared {
		return fmt.Errorf("G8: %s and %s share memory", a, b)
	}
	return nil
}

// Fixed applies the plan to an API server that has the existing slices, and checks that every step
// is taken and that a plan on the result has nothing to write (G3).
func Fixed(in gen.Case, plan slicer.Plan) error {
	var server sim.Server
	server.Put(in.Existing...)
	for i, step := range plan.Steps {
		if err := Apply(&server, step); err != nil {
			return fmt.Errorf("G2: step %d fails: %w", i, err)
		}
	}
	next := in
	next.Existing = server.List()
	again, err := next.Compute()
	if err != nil {
		return fmt.Errorf("G3: planning again fails: %w", err)
	}
	if len(again.Steps) == 0 {
		return nil
	}
	return fmt.Errorf("G3: planning again wants %d writes:\n%s", len(again.Steps), Describe(next, again))
}

// Apply takes one step on the server, as a caller should.
func Apply(server *sim.Server, step slicer.Step) error {
	var err error
	switch step.Verb {
	case slicer.Create:
		_, err = server.Create(step.New)
	case slicer.Update:
		_, err = server.Update(step.New)
	case slicer.Delete:
		seen := &metav1.Preconditions{UID: &step.Old.UID, ResourceVersion: &step.Old.ResourceVersion}
		if err = server.Delete(step.Old.Name, seen); apierrors.IsNotFound(err) {
			err = nil
		}
	}
	return err
}
