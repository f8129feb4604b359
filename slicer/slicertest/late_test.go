package slicertest_test

import (
	"context"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

// lateOptions are histories of one writer whose cache is late all the while, and whom nobody disturbs.
func lateOptions(t *testing.T) slicertest.Options {
	return slicertest.Options{
		ManagedBy: manager, Max: 1, Also: []string{"LateCaches"}, Seed: seed(t), Histories: nightly.Cases(t, 500),
		Without: []string{
			"Others", "Recreated", "Replicas", "Leftovers", "ReusedAddresses", "LostNodes", "IPv6", "NamedPorts", "SeveralPorts", "AppProtocol",
			"Headless", "PublishNotReady", "ServiceLabels", "Hints", "Namespaces", "Terminating", "NotReady", "Crashes",
		},
	}
}

// TestLateCaches: with Writes nothing goes missing, however late the cache is and whatever answers are lost. SLICEWRIGHT_CASES is
// how many histories are drawn.
func TestLateCaches(t *testing.T) { slicertest.Run(t, lateOptions(t), waiting(oneEach)) }

var oneEach = service.Options{ManagedBy: manager, Slices: slicer.Options{MaxEndpointsPerSlice: 1}}

// TestLateCachesCostEndpoints: without Writes a late cache costs an endpoint in these histories, which were found among 8000.
func TestLateCachesCostEndpoints(t *testing.T) {
	for _, history := range []string{
		"pods=3 / add-pods=10 finish=4 number=1 remove-pod=1 number=10",
		"pods / add-pods=1 replace-all=1 rename-port=1 away=2 rename-port=10",
		"pods=2 / add-pod=1 remove-pod=1 replace-all=1 away=10 rename-port rename-port=1 rename-port=1",
	} {
		for _, c := range []struct {
			why    string
			writer slicertest.Writer
			breaks string
		}{{"with Writes", waiting(oneEach), ""}, {"without", slicewright(oneEach), "no-port-gap"}} {
			options := lateOptions(t)
			options.Replay = history
			found, err := slicertest.Check(options, c.writer)
			breaks := ""
			for _, f := range found {
				breaks += f.Guarantee
			}
			if err != nil || breaks != c.breaks {
				t.Errorf("%s, %s: breaks %q, want %q: %v", history, c.why, breaks, c.breaks, err)
			}
		}
	}
}

// waiting is Slicewright with Writes, which lists live after four calls in vain.
func waiting(o service.Options) slicertest.Writer {
	return func(api *slicertest.API) slicertest.Sync {
		var writes slicer.Writes
		waits := 0
		return func(ctx context.Context, s slicertest.State) error {
			c := call{Context: ctx, api: api, State: s}
			set := slicer.Set{Namespace: s.Service.Namespace, Name: s.Service.Name}
			existing := inNamespace(s.Service, s.All)
			if err := writes.Behind(set, existing, ""); err != nil {
				if waits++; waits < 4 {
					return err
				}
				list, err := api.List(ctx, metav1.ListOptions{})
				if err != nil {
					return err
				}
				existing = inNamespace(s.Service, slicer.Pointers(list.Items))
				writes.Listed(set, existing)
			}
			waits = 0
			plan, err := service.Plan(s.Service, s.Pods, s.Node, existing, o)
			if err != nil {
				return err
			}
			w := c.writes()
			w.Create = func(s *discoveryv1.EndpointSlice) error { return decode(s)(api.Create(ctx, s, metav1.CreateOptions{})) }
			w.Update = func(s *discoveryv1.EndpointSlice) error { return decode(s)(api.Update(ctx, s, metav1.UpdateOptions{})) }
			return plan.Apply(writes.Through(set, w))
		}
	}
}

func decode(to *discoveryv1.EndpointSlice) func(*discoveryv1.EndpointSlice, error) error {
	return func(stored *discoveryv1.EndpointSlice, err error) error {
		if err == nil {
			*to = *stored
		}
		return err
	}
}
