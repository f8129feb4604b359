package slicertest

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// slicewright is a writer that does what package services plans.
func slicewright(o services.Options) Writer {
	return each(func(c call) error {
		plan, err := services.Plan(c.Service, c.Pods, c.Node, inNamespace(c.Service, c.All), o)
		if err != nil {
			return err
		}
		return publish.Apply(plan, c.writes())
	})
}

// inNamespace is what a lister of the Service's namespace shows.
func inNamespace(svc *corev1.Service, all []*discoveryv1.EndpointSlice) []*discoveryv1.EndpointSlice {
	return slices.DeleteFunc(slices.Clone(all), func(s *discoveryv1.EndpointSlice) bool {
		return s.Namespace != svc.Namespace
	})
}

// writes takes the steps of a plan to the API server. A slice that is written is as the server has
// it afterwards.
func (c call) writes() publish.Writer {
	answer := func(s *discoveryv1.EndpointSlice) func(*discoveryv1.EndpointSlice, error) error {
		return func(stored *discoveryv1.EndpointSlice, err error) error {
			if err == nil {
				*s = *stored
			}
			return err
		}
	}
	return publish.Writer{
		Create: func(s *discoveryv1.EndpointSlice) error {
			return answer(s)(c.api.Create(c, s, metav1.CreateOptions{}))
		},
		Update: func(s *discoveryv1.EndpointSlice) error {
			return answer(s)(c.api.Update(c, s, metav1.UpdateOptions{}))
		},
		Delete: func(old *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
			return c.api.Delete(c, old.Name, metav1.DeleteOptions{Preconditions: p})
		},
	}
}

// usual is how many histories a run has, where SLICEWRIGHT_FULL=1 asks for all: all events alone,
// and most pairs of them.
func usual() int { return nightly.Usual(250, 0) }

var (
	details = []string{"Zone", "NodeName", "TargetRef", "HeadlessLabel", "Owner"}
	strict  = append([]string{"deterministic", "fewest-writes", "no-moves"}, details...)
)

var usualOptions = services.Options{ManagedBy: manager, Slices: slicer.Options{MaxEndpointsPerSlice: 3}}

// TestSlicewright holds Slicewright to all guarantees, those of the stricter grade as well.
// SLICEWRIGHT_SEED draws other histories.
func TestSlicewright(t *testing.T) {
	Run(t, Options{ManagedBy: manager, Max: 3, Also: strict, Seed: seed(t), Histories: usual()},
		slicewright(usualOptions))
}

// TestCompact holds the packing Compact to the same, except that endpoints may move.
func TestCompact(t *testing.T) {
	nightly.Slow(t)
	o := usualOptions
	o.Slices.Packing = slicer.Compact
	also := []string{"deterministic", "fewest-writes"}
	Run(t, Options{ManagedBy: manager, Max: 3, Also: also, Seed: seed(t), Histories: usual()}, slicewright(o))
}

// TestSharedZones: a writer whose endpoints serve several zones is blamed for nothing. Fewer
// histories do, and one in which hints from nothing would differ.
func TestSharedZones(t *testing.T) {
	o := usualOptions
	weights := hints.Weights{Zones: map[string]int64{"a": 3, "b": 1, "c": 1}}
	o.Hints = hints.Options{Limit: 20, Weights: weights}
	for _, replay := range []string{"", "pods=3 / distribution=1 split-numbers=1"} {
		few := Options{ManagedBy: manager, Max: 3, Also: details, Without: []string{"OwnHints"}, Histories: 100,
			Replay: replay}
		for _, f := range check(t, few, slicewright(o)) {
			t.Error(f)
		}
	}
}
