// Package printed runs programs that README and package comments print, as they are printed: with
// the writers' kit, whose caches are late all the while, and through the histories of package
// recovery.
package printed

import (
	"context"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/internal/test/recovery"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

// Sync is what a program's work queue calls for a Service.
type Sync func(ctx context.Context, svc *corev1.Service, pods []*corev1.Pod, nodes []*corev1.Node) error

// Recover plays histories to a program that publishes Services with the label
// kubernetes.io/service-name: 1 000 in .ci/run, and as many as SLICEWRIGHT_CASES says. The slices
// must become right within twelve calls, and within three more if names are hidden.
func Recover(t *testing.T, managedBy string, start func(*recovery.Server) Sync) {
	t.Helper()
	histories := nightly.Cases(t, nightly.Usual(30, 1_000))
	r := recovery.Check(recovery.Program{
		Selector: map[string]string{discoveryv1.LabelServiceName: recovery.Name}, ManagedBy: managedBy,
		Start: func(s *recovery.Server) func(context.Context, recovery.State) error {
			sync := start(s)
			return func(ctx context.Context, state recovery.State) error {
				return sync(ctx, state.Service, state.Pods, state.Nodes)
			}
		},
	}, histories, uint64(nightly.Seed(t, 1)))
	t.Log(r)
	if r.Stuck > 0 || r.Most(false) > 12 || r.Most(true) > 15 {
		t.Error(r, r.Example)
	}
}

// Guarantees runs the writers' kit on a program, with all guarantees that are on request and with
// caches that are late: 200 histories in .ci/run, and otherwise the number in SLICEWRIGHT_CASES.
func Guarantees(t *testing.T, o slicertest.Options, start slicertest.Writer) {
	t.Helper()
	o.Histories, o.Seed = nightly.Cases(t, nightly.Usual(20, 200)), uint64(nightly.Seed(t, 0))
	o.Also = slices.Concat(o.Also, []string{"LateCaches", "deterministic", "fewest-writes", "no-moves"})
	slicertest.Run(t, o, start)
}

// Slices is how a Syncer reads and writes in the writers' kit. The cache shows the last state that
// is shown, and does not know its version.
func Slices(api *slicertest.API, shown *slicertest.State) publish.Slices {
	return publish.ClientSlices(
		func(string) *slicertest.API { return api },
		func(namespace string) lister { return lister{shown, namespace} }, nil,
	)
}

type lister struct {
	*slicertest.State
	namespace string
}

// List returns what the cache of the writers' kit shows.
func (l lister) List(selector labels.Selector) (list []*discoveryv1.EndpointSlice, err error) {
	for _, s := range l.All {
		if s.Namespace == l.namespace && selector.Matches(labels.Set(s.Labels)) {
			list = append(list, s)
		}
	}
	return list, nil
}

// Run runs a program that needs a Syncer alone, in both ways.
func Run(t *testing.T, o slicertest.Options, start func(publish.Slices) Sync) {
	t.Run("guarantees", func(t *testing.T) {
		Guarantees(t, o, func(api *slicertest.API) slicertest.Sync {
			var shown slicertest.State
			sync := start(Slices(api, &shown))
			return func(ctx context.Context, s slicertest.State) error {
				shown = s
				return sync(ctx, s.Service, s.Pods, s.Nodes)
			}
		})
	})
	t.Run("recovery", func(t *testing.T) {
		Recover(t, o.ManagedBy, func(s *recovery.Server) Sync { return start(s.Slices()) })
	})
}
