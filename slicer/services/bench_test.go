package services_test

import (
	"testing"

	"github.com/slicewright/slicewright/internal/test/bench"
	"github.com/slicewright/slicewright/slicer/services"
)

// BenchmarkPlan measures one sync of a Service with a selector: from its Pods to the plan.
func BenchmarkPlan(b *testing.B) {
	bench.Cases{Changes: bench.Changes}.Run(b, func(b *testing.B, all []*bench.Sync) func(i int) {
		return func(i int) {
			plan, err := all[i].Plan()
			all[i].Wrote(b, plan, err)
		}
	})
}

// BenchmarkPlanBackends measures the same sync with Backends in place of the Pods.
func BenchmarkPlanBackends(b *testing.B) {
	bench.Cases{Changes: bench.Changes}.Run(b, func(b *testing.B, all []*bench.Sync) func(i int) {
		backends := make([][]services.Backend, len(all))
		for i, s := range all {
			backends[i] = s.Backends()
		}
		return func(i int) {
			s := all[i]
			plan, err := services.PlanBackends(s.Service, backends[i], s.Slices, bench.Options())
			s.Wrote(b, plan, err)
		}
	})
}
