package slicertest

import (
	"context"
	"errors"
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// lateOptions are histories of one writer whose cache is late all the while, and whom nobody
// disturbs.
func lateOptions(t *testing.T) Options {
	return Options{
		ManagedBy: manager, Max: 1, Also: []string{"LateCaches"}, Seed: seed(t), Histories: nightly.Cases(t, 500),
		Without: append([]string{
			"LostNodes", "IPv6", "NamedPorts", "SeveralPorts", "AppProtocol", "Headless", "PublishNotReady", "ServiceLabels", "Hints",
			"Namespaces", "Terminating", "NotReady",
		}, lateWithout...),
	}
}

// lateWithout is what disturbs a writer that waits for what it has written alone, while its cache
// is late.
var lateWithout = []string{"Others", "Recreated", "Replicas", "Leftovers", "ReusedAddresses"}

// TestLateCaches: with a Syncer nothing goes missing, however late the cache is and whatever
// answers are lost. SLICEWRIGHT_CASES is how many histories are drawn.
func TestLateCaches(t *testing.T) {
	nightly.Slow(t)
	Run(t, lateOptions(t), waiting(oneEach))
}

var oneEach = services.Options{ManagedBy: manager, Slices: slicer.Options{MaxEndpointsPerSlice: 1}}

// TestLateCachesCostEndpoints: without a Syncer a late cache costs an endpoint in this history, and
// with a Syncer it does not.
func TestLateCachesCostEndpoints(t *testing.T) {
	o := lateOptions(t)
	o.Replay = "pods=2 / add-pod=1 remove-pod=1 replace-all=1 away=10 rename-port rename-port=1 rename-port=1"
	if found := check(t, o, waiting(oneEach)); len(found) > 0 {
		t.Error(found)
	}
	if found := check(t, o, slicewright(oneEach)); finding(found, "no-port-gap").Failed == 0 {
		t.Errorf("nothing is missing: %v", found)
	}
}

// TestKilledInLastSync: if the last sync of a history was killed, the new instance is called before
// the slices are judged. The replays once blamed writers that read everything live.
func TestKilledInLastSync(t *testing.T) {
	o := lateOptions(t)
	o.Without = nil
	for _, o.Replay = range []string{"pods=1 / crash rename-port=1", "pods=1 named-port=1 / crash=9 ready=1"} {
		for name, start := range map[string]Writer{"a Syncer": waiting(oneEach), "live": live(slicewright(oneEach))} {
			if found := check(t, o, start); len(found) > 0 {
				t.Errorf("%s: %s: %v", o.Replay, name, found)
			}
		}
	}
}

// TestPatientWriters: a writer that fails for 20 calls after each failed write is not blamed, and
// one that never succeeds again is.
func TestPatientWriters(t *testing.T) {
	nightly.Slow(t)
	patient := func(calls int) Writer {
		return func(api *API) Sync {
			sync, waits := live(slicewright(usualOptions))(api), 0
			return func(ctx context.Context, s State) error {
				if waits > 0 {
					waits--
					return errors.New("it waits")
				}
				err := sync(ctx, s)
				if err != nil {
					waits = calls
				}
				return err
			}
		}
	}
	o := Options{ManagedBy: manager, Max: 3, Seed: seed(t), Histories: 300}
	if found := check(t, o, patient(20)); len(found) > 0 {
		t.Error(found)
	}
	o.Replay = "pods=2 / node refuse add-pod=1"
	if found := check(t, o, patient(12)); len(found) > 0 {
		t.Errorf("while a Node is missing: %v", found)
	}
	o.Replay = ""
	if found := check(t, o, patient(1_000)); finding(found, "converges").Failed == 0 {
		t.Error("a writer that never succeeds again is not blamed")
	}
}

// waiting is Slicewright with a Syncer, which does not know the version of its cache.
func waiting(o services.Options) Writer {
	return func(api *API) Sync {
		var state State
		syncer := publish.New(publish.Slices{
			Cached: func(namespace string, selector labels.Selector) ([]*discoveryv1.EndpointSlice, error) {
				return slices.DeleteFunc(slices.Clone(state.All), func(s *discoveryv1.EndpointSlice) bool {
					return s.Namespace != namespace || !selector.Matches(labels.Set(s.Labels))
				}), nil
			},
			List: func(ctx context.Context, _ string,
				selector labels.Selector) (*discoveryv1.EndpointSliceList, error) {
				return api.List(ctx, metav1.ListOptions{LabelSelector: selector.String()})
			},
			Get: func(ctx context.Context, _, name string) (*discoveryv1.EndpointSlice, error) {
				return api.Get(ctx, name, metav1.GetOptions{})
			},
			Writer: func(ctx context.Context, _ string) publish.Writer { return publish.ClientWriter(ctx, api) },
		}, o)
		return func(ctx context.Context, s State) error {
			state = s
			_, err := syncer.Pods(ctx, s.Service, s.Pods, s.Node)
			return err
		}
	}
}

// TestWaitsForALostNode: a writer that fails while a Node is missing is not blamed if the garbage
// collector was late, or another client's finalizer goes, just when all was quiet.
func TestWaitsForALostNode(t *testing.T) {
	for _, replay := range []string{"pods=2 / node=1 late delete-slowly=1 recreate=1",
		"pods=5 / recreate-other-family=1 mark=1 join node"} {
		o := Options{ManagedBy: manager, Max: 3, Replay: replay}
		if found := check(t, o, waiting(usualOptions)); len(found) > 0 {
			t.Errorf("%s: %v", replay, found)
		}
		o.Also, o.Without = []string{"LateCaches"}, lateWithout
		if found := check(t, o, waiting(usualOptions)); len(found) > 0 {
			t.Errorf("%s, with late caches: %v", replay, found)
		}
	}
}
