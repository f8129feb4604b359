package conformance

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/endpointslice"
	"k8s.io/endpointslice/topologycache"
	"k8s.io/endpointslice/util"

	"github.com/slicewright/slicewright/slicer/service"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

// kitReference is Kubernetes' Reconciler, called as the control plane's controller calls it, through client-go's own client.
// That controller waits for its informers with the tracker; trusting goes without.
func kitReference(t *testing.T, trusting bool) slicertest.Writer {
	return func(api *slicertest.API) slicertest.Sync {
		client, err := kubernetes.NewForConfig(&rest.Config{
			Host: "http://kit", Transport: api, QPS: -1,
			ContentConfig: rest.ContentConfig{ContentType: "application/vnd.kubernetes.protobuf"},
		})
		if err != nil {
			t.Fatal(err)
		}
		nodes, tracker := nodeLister{}, util.NewEndpointSliceTracker()
		topology := topologycache.NewTopologyCache()
		r := endpointslice.NewReconciler(client, &nodes, 3, tracker, topology, noEvents{}, service.KubernetesManager,
			endpointslice.WithPreferSameTrafficDistributionEnabled(true))
		return func(_ context.Context, s slicertest.State) error {
			nodes.nodes = map[string]*corev1.Node{}
			for _, n := range s.Nodes {
				nodes.nodes[n.Name] = n
			}
			topology.SetNodes(logr.Discard(), s.Nodes)
			for _, gone := range s.Deleted {
				tracker.HandleDeletion(gone)
			}
			var live []*discoveryv1.EndpointSlice
			for _, slice := range s.Own {
				if slice.DeletionTimestamp == nil {
					live = append(live, slice)
				}
			}
			if !trusting && tracker.StaleSlices(s.Service, live) {
				return errors.New("the informer cache is out of date")
			}
			return r.Reconcile(logr.Discard(), s.Service, s.Pods, live, time.Unix(1_790_000_000, 0))
		}
	}
}

// TestKitReference puts Kubernetes' Reconciler under the test kit for writers, with the list of what it breaks.
func TestKitReference(t *testing.T) {
	slicertest.Run(t, slicertest.Options{
		ManagedBy: service.KubernetesManager, Max: 3, Also: []string{
			"no-port-gap", "deterministic", "fewest-writes", "nobody-moves",
		},
		Known: map[string]string{
			"metadata-kept": "a slice to create takes the name of one to delete, and nothing else of it: the update has no " +
				"resourceVersion, so that it overwrites whatever others put there (https://github.com/kubernetes/kubernetes/issues/108267)",
			"pure": "NewPortMapKey sorts the ports of slices in place, and hashEndpoint the addresses",
			"no-port-gap": "the slice that takes the name is any of those to delete, and need not hold its endpoints: those which it " +
				"held are missing until the next write",
			"deterministic": "endpoints come out of a map, and go into slices in this order",
		},
	}, kitReference(t, false))
}

// TestKitFindsTrust shows that the kit finds what the tracker of Kubernetes' controller prevents. Without it the Reconciler
// believes a late view, and an update that has no resourceVersion takes away what the last one wrote. The Reconciler is
// random, so that a seed may not be enough.
func TestKitFindsTrust(t *testing.T) {
	for seed := range uint64(5) {
		o := slicertest.Options{ManagedBy: service.KubernetesManager, Max: 3, Seed: seed}
		for _, f := range slicertest.Check(o, kitReference(t, true)) {
			if f.Guarantee == "no-gap" {
				t.Log(f)
				return
			}
		}
	}
	t.Error("no gap is found")
}
