package slicer_test

import (
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
)

// TestStableNamesOfTwoSets: two managers of one Service, and two sets of one manager, list only their own slices by label,
// create at the same time, and never meet: no name collides, and the second plan of each writes nothing.
func TestStableNamesOfTwoSets(t *testing.T) {
	sets := []func(*slicer.Set){
		func(s *slicer.Set) { s.ManagedBy = "a.example.com" },
		func(s *slicer.Set) { s.ManagedBy = "b.example.com" },
		func(s *slicer.Set) {
			s.ManagedBy = "b.example.com"
			s.Key = map[string]string{discoveryv1.LabelServiceName: "web", "network": "storage"}
		},
	}
	server := &sim.Server{}
	names := map[string]bool{}
	for round := range 2 {
		for i, change := range sets {
			in := input(t, "options max=1 stable-names\nwant\nhttp:80 | 10.0.0.1 10.0.0.2\nhttp:80 | fd00::1")
			change(&in.Set)
			for _, s := range server.List() {
				if s.Labels[discoveryv1.LabelManagedBy] == in.Set.ManagedBy && s.Labels["network"] == in.Set.Key["network"] {
					in.Existing = append(in.Existing, s)
				}
			}
			plan := planned(t, in)
			if want := 3 * (1 - round); len(plan.Steps) != want {
				t.Fatalf("round %d, set %d: %d writes, want %d\n%s", round, i, len(plan.Steps), want, plan)
			}
			for _, step := range plan.Steps {
				if _, err := server.Create(step.New); err != nil || names[step.New.Name] {
					t.Errorf("set %d: create %s: %v", i, step.New.Name, err)
				}
				names[step.New.Name] = true
				if !strings.HasPrefix(step.New.Name, "web-") {
					t.Errorf("set %d: name %s lacks the prefix", i, step.New.Name)
				}
			}
		}
	}
}
