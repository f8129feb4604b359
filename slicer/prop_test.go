package slicer_test

import (
	"testing"

	"pgregory.net/rapid"

	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/gen"
)

// holds is the property that no world breaks these guarantees. Each property draws worlds of its own.
func holds(guarantees ...string) func(*rapid.T) {
	return func(t *rapid.T) {
		if _, err := check.Compute(gen.World(t)); check.Breaks(err, guarantees...) {
			t.Fatal(err)
		}
	}
}

// anyGuarantee is all of them at once.
func anyGuarantee(t *rapid.T) {
	if _, err := check.Compute(gen.World(t)); err != nil {
		t.Fatal(err)
	}
}

// noMistake is the property that worlds as drawn are planned without error, or the others would hold for nothing.
func noMistake(t *rapid.T) {
	if _, err := check.Compute(gen.World(t)); check.Mistake(err) {
		t.Fatal(err)
	}
}

// mistaken is the property that each caller's mistake is an error with a field, a value and what to do, and no plan.
func mistaken(t *rapid.T) {
	if _, err := check.Compute(gen.Mistaken(t)); !check.Mistake(err) {
		t.Fatalf("a caller's mistake is none: %v", err)
	}
}

// strict is the property that Fail makes an error of what is rejected otherwise, and of nothing else.
func strict(t *rapid.T) {
	if _, err := check.Compute(gen.Strict(t)); check.Breaks(err, "rule 6") {
		t.Fatal(err)
	}
}

// hostile checks the plans of inputs that are made to be slow, where a planner may have taken a short cut.
func hostile(t *testing.T) {
	for _, c := range gen.Hostile {
		if _, err := check.Compute(c.Input(200)); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}

func TestPropG1Complete(t *testing.T)      { rapid.Check(t, holds("G1")) }
func TestPropG2Accepted(t *testing.T)      { rapid.Check(t, holds("G2")) }
func TestPropG3FixedPoint(t *testing.T)    { rapid.Check(t, holds("G3")) }
func TestPropG4FewestWrites(t *testing.T)  { rapid.Check(t, holds("G4")) }
func TestPropCompact(t *testing.T)         { rapid.Check(t, holds("Compact")) }
func TestPropG5Sticky(t *testing.T)        { rapid.Check(t, holds("G5")) }
func TestPropG6NoGap(t *testing.T)         { rapid.Check(t, holds("G6")) }
func TestPropG7Deterministic(t *testing.T) { rapid.Check(t, holds("G7")) }
func TestPropG8Pure(t *testing.T)          { rapid.Check(t, holds("G8")) }
func TestPropG9Ours(t *testing.T)          { rapid.Check(t, holds("G9")) }
func TestPropG10Metadata(t *testing.T)     { rapid.Check(t, holds("G10")) }
func TestPropG12StableNames(t *testing.T)  { rapid.Check(t, holds("G12")) }
func TestPropG13Placeholder(t *testing.T)  { rapid.Check(t, holds("G13")) }
func TestPropReasons(t *testing.T)         { rapid.Check(t, holds("Plan")) }
func TestPropHostile(t *testing.T)         { hostile(t) }
func TestPropNoMistake(t *testing.T)       { rapid.Check(t, noMistake) }
func TestPropMistake(t *testing.T)         { rapid.Check(t, mistaken) }
func TestPropStrict(t *testing.T)          { rapid.Check(t, strict) }
