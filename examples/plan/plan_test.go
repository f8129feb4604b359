package main

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/examples/internal/command"
	"github.com/slicewright/slicewright/examples/internal/commandtest"
	"github.com/slicewright/slicewright/examples/internal/manifest"
)

var plan commandtest.New = func() *command.Command { return &newPlan().Command }

func TestPlanScenarios(t *testing.T) { plan.Scenarios(t, "plan", "testdata/plan/*.txt") }

func TestHostile(t *testing.T) { plan.Hostile(t) }

// TestAccount: each slice, Service and port of a Service is named, and each Pod is counted by the
// Services that select it, or named.
func TestAccount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o, got := plan.Draw(t, "-all")
		must := func(text, has string) {
			if len(o.Services) > 0 && !strings.Contains(text, has) {
				t.Fatalf("%s is nowhere in\n%s", has, got)
			}
		}
		for _, s := range o.EndpointSlices {
			must(got, s.Name)
		}
		selected := map[string]bool{}
		for _, svc := range o.Services {
			part := "\n" + strings.ReplaceAll(got, ":", " ")
			must(part, "Service "+full(svc)+" ")
			if _, part, _ = strings.Cut(part, "\nService "+full(svc)+" "); part == "" {
				continue // the plan has a mistake
			}
			part, _, _ = strings.Cut(part, "\nService ")
			for _, p := range svc.Spec.Ports {
				if !strings.Contains(part, manifest.PortName(p)) {
					must(part, p.Name+" ")
				}
			}
			pods := newCluster(newPlan(), o).selected(svc)
			for _, pod := range pods {
				selected[pod.Name] = true
				must(part, fmt.Sprintf("Pods  %d selected", len(pods)))
			}
		}
		for _, pod := range o.Pods {
			if !selected[pod.Name] {
				must(got, pod.Name)
			}
		}
		if strings.Contains(got, "no reason is known") {
			t.Fatal(got)
		}
	})
}
