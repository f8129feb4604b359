package mirror_test

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/bench"
	"github.com/slicewright/slicewright/mirror"
)

// BenchmarkPlan measures one sync of an Endpoints object, whose addresses are those of Pods.
func BenchmarkPlan(b *testing.B) {
	o := mirror.Options{ManagedBy: mirror.KubernetesManager}
	type input struct {
		endpoints *corev1.Endpoints
		service   *corev1.Service
		existing  []*discoveryv1.EndpointSlice
	}
	bench.Cases{Changes: bench.Changes}.Run(b, func(b *testing.B, all []*bench.Sync) func(i int) {
		inputs := make([]input, len(all))
		for i, s := range all {
			endpoints, service := s.Before.Endpoints()
			before, err := mirror.Plan(endpoints, service, nil, o)
			if err != nil {
				b.Fatal(err)
			}
			inputs[i].endpoints, inputs[i].service = s.Endpoints()
			inputs[i].existing = before.After()
		}
		return func(i int) {
			in := &inputs[i]
			plan, err := mirror.Plan(in.endpoints, in.service, in.existing, o)
			all[i].Wrote(b, plan, err)
		}
	})
}
