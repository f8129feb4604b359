package slicer_test

import (
	"testing"

	"github.com/slicewright/slicewright/internal/test/check"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/scenario"
	"github.com/slicewright/slicewright/slicer"
)

// TestScenarios runs the scenarios of testdata/slicer. In some of them another planner of
// EndpointSlices went wrong:
//
//	kubernetes#91287   TestScenarios/terminating
//	kubernetes#94720   TestScenarios/stale-owner
//	kubernetes#100033  TestScenarios/stale-cache
//	kubernetes#108267  TestScenarios/placeholder
//	kubernetes#108779  TestScenarios/dying
//	kubernetes#123401  TestScenarios/endpoint-fields
//	kubernetes#133474  TestScenarios/portless
func TestScenarios(t *testing.T) {
	scenario.Run(t, "../testdata/slicer/*.txt", scenario.NewWorld, scenario.TakesBlock)
}

// input reads a world in the notation of the scenario files.
func input(t *testing.T, world string) gen.World {
	t.Helper()
	in, err := scenario.Input(world)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// planned computes with all checks.
func planned(t *testing.T, in gen.World) slicer.Plan {
	t.Helper()
	plan, err := check.Compute(in)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}
