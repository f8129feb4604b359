package mirror_test

import (
	"fmt"
	"testing"

	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/mirror"
)

// BenchmarkPlan measures one sync of an Endpoints object that finds nothing to do.
func BenchmarkPlan(b *testing.B) {
	o := mirror.Options{ManagedBy: mirror.KubernetesManager}
	for _, n := range []int{3, 100, 1000} {
		b.Run(fmt.Sprintf("addresses=%d", n), func(b *testing.B) {
			endpoints, _, err := mirror.ToEndpoints(gen.Service(n).Existing, mirror.ViewOptions{})
			if err != nil {
				b.Fatal(err)
			}
			endpoints.Labels = nil // without the one that keeps controllers from mirroring it
			service, _, _ := gen.Pods(0, 1)
			service.Spec.Selector = nil
			first, err := mirror.Plan(endpoints, service, nil, o)
			if err != nil || first.Empty() {
				b.Fatal(first, err)
			}
			existing := first.After()
			b.ReportAllocs()
			for b.Loop() {
				if plan, err := mirror.Plan(endpoints, service, existing, o); err != nil || !plan.Empty() {
					b.Fatal(plan, err)
				}
			}
		})
	}
}
