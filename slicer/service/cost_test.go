package service_test

import (
	"testing"

	"github.com/slicewright/slicewright/slicer/service"
)

// TestInputAllocatesPerService: what endpoints point to lies in a few arrays, so that the number of allocations is
// that of the Service's groups and not that of its Pods.
func TestInputAllocatesPerService(t *testing.T) {
	allocations := func(n int) float64 {
		c := newServiceCluster(n)
		return testing.AllocsPerRun(5, func() {
			if _, err := service.Input(c.service, c.pods, c.node, service.Options{ManagedBy: manager}); err != nil {
				t.Fatal(err)
			}
		})
	}
	few, many := allocations(200), allocations(5000)
	if many > few+40 {
		t.Errorf("%v allocations for 5000 Pods, %v for 200: each Pod must not have its own", many, few)
	}
}
