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

// TestInputWithMostPodsElsewhere: the few Pods of a Service among those of a cluster are all found, wherever they
// stand, though the arrays are sized by how many there were so far.
func TestInputWithMostPodsElsewhere(t *testing.T) {
	for _, every := range []int{1, 2, 97, 1000} {
		c := newServiceCluster(3000)
		want := 0
		for i, pod := range c.pods {
			if (i+1)%every == 0 {
				want++
			} else {
				pod.Namespace = "elsewhere"
			}
		}
		in, err := service.Input(c.service, c.pods, c.node, service.Options{ManagedBy: manager})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, e := range in.Groups[0].Endpoints {
			if e.TargetRef == nil || e.NodeName == nil || e.Zone == nil {
				t.Fatalf("one Pod in %d: endpoint %+v is not whole", every, e)
			}
			seen[e.Addresses[0]+e.TargetRef.Name+string(e.TargetRef.UID)] = true
		}
		if len(seen) != want || len(in.Groups[0].Endpoints) != want || in.Skips != nil {
			t.Errorf("one Pod in %d: %d endpoints, %d different, and %d skips, want %d Pods published",
				every, len(in.Groups[0].Endpoints), len(seen), len(in.Skips), want)
		}
	}
}
