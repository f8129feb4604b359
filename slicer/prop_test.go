package slicer_test

import (
	"flag"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/test/check"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/internal/test/scenario"
	"github.com/slicewright/slicewright/slicer"
)

// TestGuarantees draws worlds with every option, and fails on any guarantee that a plan breaks. The
// failure begins with the guarantee's name. Each subtest draws as many worlds as -rapid.checks
// says.
func TestGuarantees(t *testing.T) {
	for i := range nightly.Usual(10, 14) {
		t.Run(fmt.Sprint(i+1), func(t *testing.T) {
			rapid.Check(t, anyGuarantee)
		})
	}
}

// anyGuarantee is the property that a world breaks no guarantee, and is planned without error.
func anyGuarantee(t *rapid.T) {
	if _, err := check.Compute(gen.Draw(t)); err != nil {
		t.Fatal(err)
	}
}

// TestMistakes checks that each caller's mistake is an error with a field, a value and what to do,
// and no plan.
func TestMistakes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if _, err := check.Compute(gen.Mistaken(t)); !check.Mistake(err) {
			t.Fatalf("a caller's mistake is none: %v", err)
		}
	})
}

// TestHostile checks the plans of inputs that are made to be slow, where a planner may have taken a
// short cut.
func TestHostile(t *testing.T) {
	nightly.Slow(t)
	for _, c := range gen.Hostile {
		if _, err := check.Compute(c.Input(200)); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}

// TestMain lets fuzzing find things as it is usually started: without this Go spends up to a minute
// on making each world that reaches new code smaller. Ten attempts do, and -fuzzminimizetime still
// says otherwise.
func TestMain(m *testing.M) {
	flag.Parse()
	if minimize := flag.Lookup("test.fuzzminimizetime"); minimize.Value.String() == minimize.DefValue {
		if err := minimize.Value.Set("10x"); err != nil {
			panic(err)
		}
	}
	m.Run()
}

// FuzzGuarantees looks for worlds that break any guarantee.
func FuzzGuarantees(f *testing.F) { f.Fuzz(rapid.MakeFuzz(anyGuarantee)) }

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
	scenario.Run(t, "../testdata/slicer/*.txt", scenario.NewState, scenario.TakesBlock)
}

// input reads a world in the notation of the scenario files.
func input(t *testing.T, world string) gen.Case {
	t.Helper()
	in, err := scenario.Input(world)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// planned computes with all checks.
func planned(t *testing.T, in gen.Case) slicer.Plan {
	t.Helper()
	plan, err := check.Compute(in)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}
