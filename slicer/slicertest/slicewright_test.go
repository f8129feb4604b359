package slicertest

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/kit"
	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// slicewright is a writer that does what package services plans.
func slicewright(o services.Options) writer {
	return each(func(c call) error {
		if c.Service == nil {
			return nil
		}
		node := func(name string) *corev1.Node { return nodeOf(c.Nodes, name) }
		plan, err := services.Plan(c.Service, c.Pods, node, inNamespace(c.Service, c.Slices), o)
		if errors.Is(err, services.ErrNotManaged) {
			return nil
		}
		if err != nil {
			return err
		}
		return publish.Apply(plan, publish.ClientWriter(c, c.slices))
	})
}

// inNamespace is what a lister of the Service's namespace shows.
func inNamespace(svc *corev1.Service, all []*discoveryv1.EndpointSlice) []*discoveryv1.EndpointSlice {
	return slices.DeleteFunc(slices.Clone(all), func(s *discoveryv1.EndpointSlice) bool {
		return s.Namespace != svc.Namespace
	})
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
func TestSlicewright(t *testing.T) {
	o := Options{ManagedBy: manager, MaxEndpointsPerSlice: 3, Also: strict, Histories: usual()}
	blamesNone(t, o, kit.Flags{}, slicewright(usualOptions))
}

// TestSyncer does the same with a Syncer, and again while its cache is late and no other client
// disturbs it.
func TestSyncer(t *testing.T) {
	nightly.Slow(t)
	o := Options{ManagedBy: manager, MaxEndpointsPerSlice: 3, Also: details, Histories: nightly.Cases(t, 0)}
	blamesNone(t, o, kit.Flags{}, waiting(usualOptions))
	o.Also = append(slices.Clone(details), "LateCaches")
	o.Without = []string{"Others", "Recreated", "Replicas", "Leftovers", "ReusedAddresses"}
	blamesNone(t, o, kit.Flags{}, waiting(usualOptions))
}

// TestCompact holds the packing Compact to the same, except that endpoints may move.
func TestCompact(t *testing.T) {
	nightly.Slow(t)
	o := usualOptions
	o.Slices.Packing = slicer.Compact
	also := []string{"deterministic", "fewest-writes"}
	blamesNone(t, Options{ManagedBy: manager, MaxEndpointsPerSlice: 3, Also: also}, kit.Flags{}, slicewright(o))
}

// TestSharedZones: a writer whose endpoints serve several zones is blamed for nothing. Fewer
// histories do, and one in which hints from nothing would differ.
func TestSharedZones(t *testing.T) {
	o := usualOptions
	weights := hints.Weights{Zones: map[string]int64{"a": 3, "b": 1, "c": 1}}
	o.Hints = hints.Options{Limit: 20, Weights: weights}
	few := Options{ManagedBy: manager, MaxEndpointsPerSlice: 3, Also: details, Without: []string{"OwnHints"}, Histories: 100}
	for _, replay := range []string{"", "pods=3 / distribution=1 split-numbers=1"} {
		blamesNone(t, few, kit.Flags{Replay: replay}, slicewright(o))
	}
}

// waiting is Slicewright with a Syncer, which does not know the version of its cache.
func waiting(o services.Options) writer {
	return func(rt http.RoundTripper) func(context.Context, State) error {
		api := rt.(*server)
		var state State
		syncer := publish.New(publish.Slices{
			Cached: func(namespace string, selector labels.Selector) ([]*discoveryv1.EndpointSlice, error) {
				return slices.DeleteFunc(slices.Clone(state.Slices), func(s *discoveryv1.EndpointSlice) bool {
					return s.Namespace != namespace || !selector.Matches(labels.Set(s.Labels))
				}), nil
			},
			List: func(ctx context.Context, namespace string,
				selector labels.Selector) (*discoveryv1.EndpointSliceList, error) {
				return client{api, namespace}.List(ctx, metav1.ListOptions{LabelSelector: selector.String()})
			},
			Get: func(ctx context.Context, namespace, name string) (*discoveryv1.EndpointSlice, error) {
				return client{api, namespace}.Get(ctx, name, metav1.GetOptions{})
			},
			Writer: func(ctx context.Context, namespace string) publish.Writer {
				return publish.ClientWriter(ctx, client{api, namespace})
			},
		}, o)
		return func(ctx context.Context, s State) error {
			if state = s; s.Service == nil {
				return nil
			}
			_, err := syncer.Pods(ctx, s.Service, s.Pods, func(name string) *corev1.Node { return nodeOf(s.Nodes, name) })
			return err
		}
	}
}
