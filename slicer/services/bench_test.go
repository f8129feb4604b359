package services_test

import (
	"fmt"
	"testing"

	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/slicer/services"
)

// BenchmarkFromPods measures one sync of a Service with a selector, from its Pods to the plan.
func BenchmarkFromPods(b *testing.B) {
	for _, n := range []int{3, 100, 1000} {
		for change, replaced := range map[string]int{"nothing": 0, "one": 1, "quarter": (n + 3) / 4} {
			b.Run(fmt.Sprintf("pods=%d/change=%s", n, change), func(b *testing.B) {
				svc, pods, list := gen.Pods(n+replaced, 1)
				w := world{service: svc, pods: pods[:n], nodes: services.NodesByName(list), options: kubernetes}
				first, err := w.plan()
				if err != nil {
					b.Fatal(err)
				}
				w.existing = first.After()
				w.pods = pods[replaced:]
				b.ReportAllocs()
				for b.Loop() {
					plan, err := w.plan()
					if err != nil || (len(plan.Steps) == 0) != (replaced == 0) {
						b.Fatal(plan, err)
					}
				}
			})
		}
	}
}
