package slicertest

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/slicewright/slicewright/internal/test/kit"
	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// plans are the Inputs of package services, with what a test changes in them.
type plans func(in *slicer.Input)

// with returns Inputs for three endpoints a slice, with further changes.
func with(change plans) plans {
	return func(in *slicer.Input) {
		in.Options.MaxEndpointsPerSlice = 3
		if change != nil {
			change(in)
		}
	}
}

func (p plans) input(c State) (slicer.Input, error) {
	in, err := services.FromPods(c.Service, c.Pods, services.NodesByName(c.Nodes),
		services.Options{ManagedBy: manager, ReplacesKubernetes: true})
	p(&in)
	return in, err
}

// slicewright is a writer that does what package services plans.
func slicewright(p plans) writer {
	return each(func(c call) error {
		if c.Service == nil {
			return nil
		}
		in, err := p.input(c.State)
		if err != nil {
			return err
		}
		plan, err := slicer.Compute(in, inNamespace(c.Service, c.Slices))
		if err != nil {
			return err
		}
		return errors.Join(publish.Apply(c, plan, clientOf(c.api)), plan.Retry)
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

// TestSlicewright holds Slicewright to all guarantees, those of the stricter grade as well.
func TestSlicewright(t *testing.T) {
	o := Options{ManagedBy: manager, MaxEndpointsPerSlice: 3, Also: strict, Histories: usual()}
	blamesNone(t, o, kit.Flags{}, slicewright(with(nil)))
}

// TestSyncer does the same with a Syncer, and again while its cache is late and no other client
// disturbs it.
func TestSyncer(t *testing.T) {
	nightly.Slow(t)
	o := Options{ManagedBy: manager, MaxEndpointsPerSlice: 3, Also: details, Histories: nightly.Cases(t, 0)}
	blamesNone(t, o, kit.Flags{}, waiting(with(nil)))
	o.Also = append(slices.Clone(details), "LateCaches")
	o.Without = []string{"Others", "Recreated", "Replicas", "Leftovers", "ReusedAddresses"}
	blamesNone(t, o, kit.Flags{}, waiting(with(nil)))
}

// TestCompact holds the packing Compact to the same, except that endpoints may move.
func TestCompact(t *testing.T) {
	nightly.Slow(t)
	compact := with(func(in *slicer.Input) { in.Options.Compact = true })
	also := []string{"deterministic", "fewest-writes"}
	blamesNone(t, Options{ManagedBy: manager, MaxEndpointsPerSlice: 3, Also: also}, kit.Flags{}, slicewright(compact))
}

// TestSharedZones: a writer whose endpoints serve several zones is blamed for nothing. Fewer
// histories do, and one in which hints from nothing would differ.
func TestSharedZones(t *testing.T) {
	shared := with(func(in *slicer.Input) {
		in.Hints.Limit, in.Hints.Weights.Zones = 20, map[string]int64{"a": 3, "b": 1, "c": 1}
	})
	few := Options{ManagedBy: manager, MaxEndpointsPerSlice: 3, Also: details, Without: []string{"OwnHints"}, Histories: 100}
	for _, replay := range []string{"", "pods=3 / distribution=1 split-numbers=1"} {
		blamesNone(t, few, kit.Flags{Replay: replay}, slicewright(shared))
	}
}

// waiting is Slicewright with a Syncer, which does not know the version of its cache.
func waiting(p plans) writer {
	return func(rt http.RoundTripper) func(context.Context, State) error {
		var state State
		c := clientOf(rt.(*server))
		c.Cached = func(_ context.Context, namespace string,
			selector labels.Selector) ([]*discoveryv1.EndpointSlice, error) {
			return slices.DeleteFunc(slices.Clone(state.Slices), func(s *discoveryv1.EndpointSlice) bool {
				return s.Namespace != namespace || !selector.Matches(labels.Set(s.Labels))
			}), nil
		}
		syncer, err := publish.New(c)
		return func(ctx context.Context, s State) error {
			if state = s; s.Service == nil || err != nil {
				return err
			}
			in, err := p.input(s)
			if err != nil {
				return err
			}
			_, err = syncer.Sync(ctx, in)
			return err
		}
	}
}

// clientOf returns the Client of a server that serves no cache.
func clientOf(api *server) publish.Client {
	return publish.ClientGo(func(namespace string) client { return client{api, namespace} }, noCache{})
}

type noCache struct{}

func (noCache) ByIndex(string, string) ([]any, error) { return nil, nil }
