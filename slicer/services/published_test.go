package services_test

import (
	"fmt"
	"reflect"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/hints"
	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// comparePlans holds Plan against Input and Compute, on inputs that neither changes.
func comparePlans(t *rapid.T, w world) slicer.Plan {
	before := jsonText(w.existing, w.pods)
	plan := compareWays(t, w.existing, func() (slicer.Input, error) {
		return services.Input(w.service, w.pods, w.node, w.options)
	}, func() (slicer.Plan, error) {
		return services.Plan(w.service, w.pods, w.node, w.existing, w.options)
	})
	if d := cmp.Diff(before, jsonText(w.existing, w.pods)); d != "" {
		t.Fatalf("slices or Pods changed:\n%s", d)
	}
	for _, s := range plan.Skips {
		if s.Path == "service.metadata.uid" && w.service.UID == "" || s.Reason == services.NoZones && w.node == nil ||
			s.Reason == slicer.NoWeights && w.options.Hints.Limit > 0 ||
			s.Reason == slicer.LimitUnused && w.options.Hints.Mode != hints.PreferSameZone {
			continue
		}
		var i int
		if _, err := fmt.Sscanf(s.Path, "pods[%d]", &i); err != nil || w.pods[i].Name != s.Object.Name {
			t.Fatalf("%s does not lead to what is not published: %v", s.Path, s)
		}
	}
	return plan
}

// compareWays holds a plan against what Compute makes of an Input, twice.
func compareWays(
	t *rapid.T, existing []*discoveryv1.EndpointSlice, input func() (slicer.Input, error),
	plan func() (slicer.Plan, error),
) (have slicer.Plan) {
	in, wantErr := input()
	var want slicer.Plan
	if wantErr == nil {
		want, wantErr = slicer.Compute(in, existing)
	} else if !reflect.DeepEqual(in, slicer.Input{}) {
		t.Fatalf("with the error came %+v", in)
	}
	for range 2 {
		var err error
		if have, err = plan(); withoutPaths(err) != withoutPaths(wantErr) {
			t.Fatalf("errors %v, and of Input and Compute %v", err, wantErr)
		}
		d := cmp.Diff(check.Text(want), check.Text(have)) + cmp.Diff(want.Hints, have.Hints) +
			cmp.Diff(texts(want), texts(have))
		if d != "" {
			t.Fatalf("-Input and Compute +Plan:\n%s", d)
		}
	}
	return have
}

// withoutPaths is an error's text without the path in each line, which is one in Options or in Set.
func withoutPaths(err error) string {
	return regexp.MustCompile(`(?m)^[\w.\[\]]+: `).ReplaceAllString(fmt.Sprint(err), "")
}

func texts(plan slicer.Plan) []string {
	var texts []string
	for _, s := range plan.Skips {
		// the path is of Compute's Input, or of the call
		texts = append(texts, string(s.Reason)+" "+withoutPaths(s.Err))
	}
	return texts
}

// FuzzPlan looks for a world in which they differ.
func FuzzPlan(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { comparePlans(t, drawPublished(t)) }))
}
