package slicer_test

import (
	"testing"

	"github.com/slicewright/slicewright/internal/test/bench"
	"github.com/slicewright/slicewright/slicer"
)

// BenchmarkCompute measures Compute without the derivation of its Input.
func BenchmarkCompute(b *testing.B) {
	bench.Cases{Changes: bench.Changes}.Run(b, func(b *testing.B, all []*bench.Sync) func(i int) {
		inputs := make([]slicer.Input, len(all))
		for i, s := range all {
			inputs[i] = s.Input()
		}
		return func(i int) {
			plan, err := slicer.Compute(inputs[i], all[i].Slices)
			all[i].Wrote(b, plan, err)
		}
	})
}
