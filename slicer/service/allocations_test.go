//go:build !race

// The race detector makes sync.Pool forget on purpose, so that allocations of pooled memory cannot be counted under it.

package service_test

import (
	"testing"

	"github.com/slicewright/slicewright/slicer/service"
)

// TestPlanAllocations: a sync that finds nothing to do allocates as often for many Pods as for few, in any order.
func TestPlanAllocations(t *testing.T) {
	allocations := func(n int, shuffled bool) float64 {
		c := newServiceCluster(n)
		existing := newServiceCluster(n).slices(t)
		if shuffled {
			c.shuffle()
		}
		return testing.AllocsPerRun(5, func() {
			plan, _, err := service.Plan(c.service, c.pods, c.node, existing, service.Options{ManagedBy: manager, Selected: true})
			if err != nil || !plan.Empty() {
				t.Fatal(err, plan)
			}
		})
	}
	for _, shuffled := range []bool{false, true} {
		few, many := allocations(1000, shuffled), allocations(10000, shuffled)
		if few > 100 || many > few+12 { // what grows is Plan.Unchanged, and maps of slices' names
			t.Errorf("shuffled %v: %v allocations for 1000 Pods, %v for 10000", shuffled, few, many)
		}
	}
}

// TestBackendsAllocations: backends with one address, port and target need no list and no memory of their own.
func TestBackendsAllocations(t *testing.T) {
	svc, backends, existing := benchBackends(t, 1000)
	n := testing.AllocsPerRun(5, func() {
		list := make([]service.Backend, len(backends))
		copy(list, backends)
		plan, _, err := service.PlanBackends(svc, list, existing, benchOptions)
		if err != nil || !plan.Empty() {
			t.Fatal(err, plan)
		}
	})
	if n >= 100 {
		t.Errorf("%v allocations", n)
	}
}
