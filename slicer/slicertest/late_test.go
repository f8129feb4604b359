package slicertest

import (
	"context"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// lateOptions are histories of one writer whose cache is late all the while, and whom nobody disturbs.
func lateOptions(t *testing.T) Options {
	return Options{
		ManagedBy: manager, Max: 1, Also: []string{"LateCaches"}, Seed: seed(t), Histories: nightly.Cases(t, 500),
		Without: append([]string{
			"LostNodes", "IPv6", "NamedPorts", "SeveralPorts", "AppProtocol", "Headless", "PublishNotReady", "ServiceLabels", "Hints",
			"Namespaces", "Terminating", "NotReady",
		}, lateWithout...),
	}
}

// lateWithout is what disturbs a writer that waits for what it has written alone, while its cache is late.
var lateWithout = []string{"Others", "Recreated", "Replicas", "Leftovers", "ReusedAddresses", "Crashes"}

// TestLateCaches: with Writes nothing goes missing, however late the cache is and whatever answers are lost. SLICEWRIGHT_CASES is
// how many histories are drawn.
func TestLateCaches(t *testing.T) { Run(t, lateOptions(t), waiting(oneEach)) }

var oneEach = services.Options{ManagedBy: manager, Slices: slicer.Options{MaxEndpointsPerSlice: 1}}

// TestLateCachesCostEndpoints: without Writes a late cache costs an endpoint in this history, and with Writes it does not.
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

// waiting is Slicewright with Writes, which lists live after four calls in vain.
func waiting(o services.Options) Writer {
	return func(api *API) Sync {
		var writes slicer.Writes
		waits := 0
		return func(ctx context.Context, s State) error {
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
			plan, err := services.Plan(s.Service, s.Pods, s.Node, existing, o)
			if err != nil {
				return err
			}
			return plan.Apply(writes.Through(set, c.writes()))
		}
	}
}
