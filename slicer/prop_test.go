package slicer_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/test/check"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/nightly"
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

// TestDisagreeingCopies draws Pods that are in several slices, on several ports, which do not agree
// about serving. What is news and all else is checked as in every world.
func TestDisagreeingCopies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if _, err := check.Compute(gen.Disagreeing(t)); err != nil {
			t.Fatal(err)
		}
	})
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

// TestStagesOnlyRead: what is wanted and present is made by one stage, and stays as it is until the
// end of the plan.
func TestStagesOnlyRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, in := range []gen.World{gen.Draw(t), gen.Disagreeing(t)} {
			for _, value := range slicer.ChangedValues(in.Input, in.Existing) {
				t.Fatalf("has changed since: %s", value)
			}
		}
	})
}
