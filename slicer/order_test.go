package slicer_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/slicer"
)

// TestOrderAgainstPermutations draws small worlds in which much is held twice and moves between ports. Each plan must
// keep the three rules of G6. If it has a gap all the same, then every order of its updates that keeps the first rule must
// have one. SLICEWRIGHT_SEED draws other worlds, and SLICEWRIGHT_CASES more.
func TestOrderAgainstPermutations(t *testing.T) {
	seed, cases := uint64(nightly.Seed(t, 1)), nightly.Cases(t, 3000)
	withGap := 0
	for n := range cases {
		in := orderWorld(rand.New(rand.NewPCG(seed, uint64(n))))
		plan, err := in.Compute()
		if err != nil {
			t.Fatal(err)
		}
		if err := check.Plan(in, plan); check.Breaks(err, "G6") {
			t.Fatalf("seed %d, world %d: %v\n%s", seed, n, err, check.Describe(in, plan))
		}
		gaps, _ := check.Gaps(in, plan)
		if gaps == 0 {
			continue
		}
		withGap++
		if other, ok := withoutGap(in, plan); ok {
			t.Fatalf("seed %d, world %d: %d gaps, and none in another order\n%s\nthe other order\n%s",
				seed, n, gaps, check.Describe(in, plan), other)
		}
	}
	if t.Logf("seed %d: %d worlds with a gap that no order avoids", seed, withGap); withGap == 0 {
		t.Error("no world has a gap: nothing is tested")
	}
}

// withoutGap looks for an order of the updates that keeps the first rule of G6 and has no gap.
func withoutGap(in given.World, plan slicer.Plan) (slicer.Plan, bool) {
	updates := given.Steps(plan, slicer.Update)
	first := plan.Stats().Creates
	other := plan
	other.Steps = slices.Clone(plan.Steps)
	var try func(k int) bool
	try = func(k int) bool {
		if k == len(updates) {
			copy(other.Steps[first:], updates)
			gaps, homesHold := check.Gaps(in, other)
			return gaps == 0 && homesHold
		}
		for i := k; i < len(updates); i++ {
			updates[k], updates[i] = updates[i], updates[k]
			if try(k + 1) {
				return true
			}
			updates[k], updates[i] = updates[i], updates[k]
		}
		return false
	}
	return other, try(0)
}
