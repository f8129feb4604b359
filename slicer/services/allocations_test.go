//go:build !race

// The race detector makes sync.Pool forget on purpose, so that allocations of pooled memory cannot
// be counted under it.

package services_test

import (
	"testing"

	"github.com/slicewright/slicewright/internal/test/nightly"
)

// TestPlanAllocationsOfFewPods: a sync of a small Service that finds nothing to do allocates only
// what the plan needs.
func TestPlanAllocationsOfFewPods(t *testing.T) {
	if n := idleAllocations(t, 3, false); n > 3 {
		t.Errorf("%v allocations for 3 Pods, want those of Plan.Hints, Plan.Unchanged and the function that finds "+
			"Nodes", n)
	}
}

// TestPlanAllocations: a sync that finds nothing to do allocates as often for many Pods as for few,
// in any order.
func TestPlanAllocations(t *testing.T) {
	nightly.Slow(t)
	for _, shuffled := range []bool{false, true} {
		few, many := idleAllocations(t, 1000, shuffled), idleAllocations(t, 10000, shuffled)
		if few > 100 || many > few+12 { // what grows is Plan.Unchanged, and maps of slices' names
			t.Errorf("shuffled %v: %v allocations for 1000 Pods, %v for 10000", shuffled, few, many)
		}
	}
}

// idleAllocations returns how often a sync of n Pods allocates if it finds nothing to do.
func idleAllocations(t *testing.T, n int, shuffled bool) float64 {
	c := newServiceCluster(n)
	existing := newServiceCluster(n).slices(t)
	if shuffled {
		c.shuffle()
	}
	return testing.AllocsPerRun(5, func() {
		plan, err := c.plan(existing)
		if err != nil || !plan.Empty() {
			t.Fatal(err, plan)
		}
	})
}

// TestPodsOfOthersAllocations: Pods that the selector does not match cost nothing but a look: a
// caller may list the namespace.
func TestPodsOfOthersAllocations(t *testing.T) {
	allocations := func(n int) float64 {
		c := newServiceCluster(n)
		c.service.Spec.Selector = map[string]string{"app": "other"}
		return testing.AllocsPerRun(5, func() {
			plan, err := c.plan(nil)
			if err != nil || plan.Skips != nil || len(plan.Steps) != 1 { // a placeholder
				t.Fatal(err, plan)
			}
		})
	}
	if few, many := allocations(3), allocations(10000); many > few+2 {
		t.Errorf("%v allocations for 3 Pods, %v for 10 000", few, many)
	}
}
