package services_test

import (
	"fmt"
	"testing"

	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/slicer/services"
)

// BenchmarkPlan measures one sync of a Service with a selector, from its Pods to the plan.
func BenchmarkPlan(b *testing.B) {
	for _, n := range []int{3, 100, 1000} {
		for change, replaced := range map[string]int{"nothing": 0, "one": 1, "quarter": (n + 3) / 4} {
			b.Run(fmt.Sprintf("pods=%d/change=%s", n, change), func(b *testing.B) {
				svc, pods, list := gen.Pods(n+replaced, 1)
				byName, o := services.NodesByName(list), services.Options{ManagedBy: manager}
				first, err := services.Plan(svc, pods[:n], byName, nil, o)
				if err != nil {
					b.Fatal(err)
				}
				existing := first.After()
				b.ReportAllocs()
				for b.Loop() {
					plan, err := services.Plan(svc, pods[replaced:], byName, existing, o)
					if err != nil || plan.Empty() != (replaced == 0) {
						b.Fatal(plan, err)
					}
				}
			})
		}
	}
}
