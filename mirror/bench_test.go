package mirror_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/mirror"
)

// BenchmarkCompute is all that a controller does for the Endpoints of n Pods whose mirrors are as they should be.
func BenchmarkCompute(b *testing.B) {
	for _, n := range []int{100, 1000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: gen.Namespace, Name: gen.Name}}
			endpoints, _, err := mirror.ToEndpoints(gen.Service(n).Existing, mirror.ViewOptions{})
			if err != nil {
				b.Fatal(err)
			}
			first, err := mirror.Plan(endpoints, service, nil, options)
			if err != nil {
				b.Fatal(err)
			}
			existing := first.After()
			endpoints = endpoints.DeepCopy() // an API server's answer has memory of its own
			b.ReportAllocs()
			for b.Loop() {
				plan, err := mirror.Plan(endpoints, service, existing, options)
				if err != nil || !plan.Empty() {
					b.Fatal(err, plan)
				}
			}
			gen.PerEndpoint(b, n)
		})
	}
}
