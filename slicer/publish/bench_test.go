package publish_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// BenchmarkUnchanged is a sync that finds nothing to do, and for comparison what it cannot do
// without: to read the cache and plan.
func BenchmarkUnchanged(b *testing.B) {
	for _, n := range []int{3, 10, 100, 1000} {
		numbers := make([]int, n)
		for i := range numbers {
			numbers[i] = i + 1
		}
		svc, list := service("web"), pods(numbers...)
		for i, pod := range list {
			pod.Status.PodIPs[0].IP = fmt.Sprintf("10.0.%d.%d", i/250, i%250+1)
		}
		plan, err := services.Plan(svc, list, nil, nil, options)
		if err != nil {
			b.Fatal(err)
		}
		cache := plan.After()
		for i, s := range cache {
			s.ResourceVersion, s.UID = strconv.Itoa(i+1), types.UID(s.Name)
		}
		access := newCluster(nil, options).slices()
		access.UpTo = func() string { return "99" }
		access.Cached = func(string, labels.Selector) ([]*discoveryv1.EndpointSlice, error) { return cache, nil }
		b.Run(fmt.Sprintf("plan-%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				existing, _ := access.Cached(svc.Namespace,
					labels.SelectorFromSet(labels.Set{discoveryv1.LabelServiceName: svc.Name}))
				if plan, err := services.Plan(svc, list, nil, existing, options); err != nil || !plan.Empty() {
					b.Fatal(err, plan)
				}
			}
		})
		b.Run(fmt.Sprintf("sync-%d", n), func(b *testing.B) {
			b.ReportAllocs()
			s := publish.New(access, options)
			for b.Loop() {
				if plan, err := s.Pods(context.Background(), svc, list, nil); err != nil || !plan.Empty() {
					b.Fatal(err, plan)
				}
			}
		})
	}
}
