package slicer_test

import (
	"testing"

	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/internal/test/scenario"
	"github.com/slicewright/slicewright/slicer"
)

// TestScenarios runs the scenarios of testdata/slicer. They cite the numbers S1 to S15 of
// testdata/spec.md, one for each sentence of the Kubernetes documentation. S16 to S19 are package
// conditions', S20 to S24 hints', S25 to S28 mirror's. In the vectors of that page some project's
// own planning of EndpointSlices went wrong; those that concern Compute are in
//
//	vectors 2 and 41       TestScenarios/portless
//	vectors 3 and 4        TestScenarios/api-defaults
//	vectors 5 and 52       TestScenarios/several-addresses
//	vector 10              TestScenarios/one-port-one-update
//	vector 11              TestScenarios/first-250
//	vector 13              TestScenarios/oversize-split
//	vector 14              TestScenarios/oversize-keep
//	vector 16              TestScenarios/one-create-beats-two-updates
//	vector 17              TestScenarios/placeholder
//	vector 18              TestScenarios/dying
//	vector 20              TestScenarios/stale-owner
//	vector 21              TestScenarios/foreign
//	vector 23              TestScenarios/stable-name-of-another-family
//	vector 24              TestScenarios/mixed-families
//	vector 26              TestScenarios/rejects
//	vector 34              TestScenarios/nil-conditions
//	vectors 35 and 54      TestScenarios/endpoint-fields
//	vectors 43 and 44      TestScenarios/labels
//	vector 47              TestScenarios/stale-cache
//	vector 48              TestScenarios/terminating
//	vector 55              TestScenarios/trigger-time
//	vector 57              TestScenarios/old-addresses-go
func TestScenarios(t *testing.T) {
	scenario.Run(t, "../testdata/slicer/*.txt", scenario.NewWorld, scenario.TakesBlock)
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
