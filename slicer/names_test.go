package slicer_test

import (
	"slices"
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

// TestGeneratedNamesAfter: where After shows what the API server will name, it takes no name of a slice that exists: one that
// stays, one that is updated or deleted, or another manager's.
func TestGeneratedNamesAfter(t *testing.T) {
	plan := planned(t, input(t, `options max=1

slices
web-1 | http:80 | 10.0.0.1
web-2 managed-by=other.example.com | http:80 | 10.0.0.2
web-4 | http:80 | 10.0.0.4
web-6 ipv6 | http:80 | fd00::1

want
http:80 | 10.0.0.1 10.0.0.4{!ready} 10.0.0.5 10.0.0.6 10.0.0.7`))
	var names []string
	for _, s := range plan.After() {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	if want := []string{"web-1", "web-3", "web-4", "web-5", "web-7"}; !slices.Equal(names, want) {
		t.Errorf("named %q, want %q\n%s", names, want, plan)
	}
}
