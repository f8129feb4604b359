package slicertest_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

// slicewright is a writer that does what package service plans.
func slicewright(o service.Options) slicertest.Writer {
	return each(func(c call) error {
		plan, err := service.Plan(c.Service, c.Pods, c.Node, inNamespace(c.Service, c.All), o)
		if err != nil {
			return err
		}
		return plan.Apply(c.writes())
	})
}

// inNamespace is what a lister of the Service's namespace shows.
func inNamespace(svc *corev1.Service, all []*discoveryv1.EndpointSlice) []*discoveryv1.EndpointSlice {
	return slices.DeleteFunc(slices.Clone(all), func(s *discoveryv1.EndpointSlice) bool { return s.Namespace != svc.Namespace })
}

// writes takes the steps of a plan to the API server.
func (c call) writes() slicer.Writer {
	return slicer.Writer{
		Create: c.create,
		Update: func(s *discoveryv1.EndpointSlice) error { return change{old: s, s: s}.do(c) },
		Delete: func(old *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
			return c.api.Delete(c, old.Name, metav1.DeleteOptions{Preconditions: p})
		},
	}
}

const manager = "slices.example.com"

var (
	details = []string{"Zone", "NodeName", "TargetRef", "HeadlessLabel", "Owner"}
	strict  = append([]string{"deterministic", "fewest-writes", "nobody-moves"}, details...)
)

// TestSlicewright holds Slicewright to all guarantees, those of the stricter grade as well. SLICEWRIGHT_SEED draws other histories.
func TestSlicewright(t *testing.T) {
	o := service.Options{ManagedBy: manager, Slices: slicer.Options{MaxEndpointsPerSlice: 3}}
	slicertest.Run(t, slicertest.Options{ManagedBy: manager, Max: 3, Also: strict, Seed: seed(t)}, slicewright(o))
}

// TestCompact holds the packing Compact to the same, except that endpoints may move.
func TestCompact(t *testing.T) {
	o := service.Options{ManagedBy: manager, Slices: slicer.Options{MaxEndpointsPerSlice: 3, Packing: slicer.Compact}}
	also := []string{"deterministic", "fewest-writes"}
	slicertest.Run(t, slicertest.Options{ManagedBy: manager, Max: 3, Also: also, Seed: seed(t)}, slicewright(o))
}
