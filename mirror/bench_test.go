package mirror_test

import (
	"fmt"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// BenchmarkFromEndpoints measures one sync of an Endpoints object that finds nothing to do.
func BenchmarkFromEndpoints(b *testing.B) {
	o := mirror.Options{ManagedBy: gen.Manager, ReplacesKubernetes: true}
	svc, _, _ := gen.Pods(0, 1)
	svc.Spec.Selector = nil
	for _, n := range []int{3, 100, 1000} {
		b.Run(fmt.Sprintf("addresses=%d", n), func(b *testing.B) {
			endpoints, _, err := mirror.ToEndpoints(svc, gen.Service(n).Existing)
			if err != nil {
				b.Fatal(err)
			}
			endpoints.Labels = nil // without the one that keeps controllers from mirroring it
			sync := func(existing []*discoveryv1.EndpointSlice) slicer.Plan {
				in, err := mirror.FromEndpoints(endpoints, svc, o)
				if err != nil {
					b.Fatal(err)
				}
				plan, err := slicer.Compute(in, existing)
				if err != nil {
					b.Fatal(err)
				}
				return plan
			}
			existing := sync(nil).After()
			b.ReportAllocs()
			for b.Loop() {
				if plan := sync(existing); len(existing) == 0 || len(plan.Steps) > 0 {
					b.Fatal(plan)
				}
			}
		})
	}
}
