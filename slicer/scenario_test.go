package slicer_test

import (
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/internal/test/scenario"
	"github.com/slicewright/slicewright/slicer"
)

// TestScenarios runs the stories of testdata/slicer. They cite the numbers S1 to S15 of testdata/spec.md, one for each sentence of
// the Kubernetes documentation. S16 to S19 are package conditions', S20 to S24 hints', S25 to S28 mirror's.
func TestScenarios(t *testing.T) {
	scenario.Run(t, "../testdata/slicer/*.txt", scenario.NewWorld, scenario.TakesBlock)
}

func TestS6NamesAndOwners(t *testing.T) {
	for _, generated := range []bool{false, true} {
		in := input(t, "want\nhttp:80 | 10.0.0.1")
		in.Options.GeneratedNames = generated
		s := planned(t, in).Steps[0].New
		if !strings.HasPrefix(s.Name+s.GenerateName, "web-") {
			t.Errorf("generated %v: name %q, generateName %q", generated, s.Name, s.GenerateName)
		}
		if s.Labels[discoveryv1.LabelServiceName] != "web" {
			t.Errorf("labels are %v", s.Labels)
		}
		o := s.OwnerReferences[0]
		if o.Kind != "Service" || o.UID != "u1" || !*o.Controller || !*o.BlockOwnerDeletion {
			t.Errorf("the owner is %+v", o)
		}
	}
}

// input reads a world in the notation of the scenario files.
func input(t *testing.T, world string) given.World {
	t.Helper()
	in, err := scenario.Input(world)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// planned computes with all checks.
func planned(t *testing.T, in given.World) slicer.Plan {
	t.Helper()
	plan, err := check.Compute(in)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}
