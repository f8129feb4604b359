package conformance

import (
	"context"
	"errors"
	"slices"
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

	"github.com/slicewright/slicewright/internal/test/conformance/known"
	"github.com/slicewright/slicewright/slicer/services"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

// kitReference is Kubernetes' Reconciler, called as the control plane's controller calls it,
// through client-go's own client. That controller waits for its informers with the tracker.
func kitReference(t *testing.T, most int32, waits bool) slicertest.Writer {
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
		r := endpointslice.NewReconciler(client, &nodes, most, tracker, topology, noEvents{},
			services.KubernetesManager,
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
			if waits && tracker.StaleSlices(s.Service, live) {
				return errors.New("the informer cache is out of date")
			}
			return r.Reconcile(logr.Discard(), s.Service, s.Pods, live, time.Unix(1_790_000_000, 0))
		}
	}
}

const (
	topologyWithoutNode = "pods=4 / node=1 topology publish-not-ready=1"
	oneByOne            = "topologycache.AddHints puts hints on slices one by one until it meets an endpoint without " +
		"a zone, and takes them off " +
		"all slices then: those that had a hint for a moment are written in each sync, as they were"
)

// knownOfReference is what Kubernetes' Reconciler breaks, and why. It takes endpoints and slices
// out of maps, so that the same history does not always lead to the same writes.
var knownOfReference = []known.Weakness{
	{"nothing-false: slice … has an owner that is gone, and will be deleted with it", "/ recreate=1",
		"an empty slice that is there is left alone whoever owns it; the garbage collector takes it, and the controller makes another"},
	{"detailed: slice … has not the Service as owner, so that it will stay when the Service is deleted",
		"/ mark=1 recreate=1",
		"the same, where somebody else's owner keeps the garbage collector away"},
	{"no-gap: … is wanted, was published, and is in no slice now",
		"pods=3 / add-pod=1 lose=1 late=1 copy=8 terminate=8",
		"chance decides which of two slices with the same endpoints is deleted, so that a second try, after an answer was lost, deletes the other"},
	{"no-port-gap: … changes its ports, and is in no slice now", "pods=4 / number=1",
		"the slice that takes the name is any of those to delete, and need not hold its endpoints: those which it " +
			"held are missing " +
			"until the next write"},
	{"metadata-kept: … has lost the annotation that somebody else put on it", "pods=1 / conflict=1 app-protocol=1",
		"a slice to create takes the name of one to delete, and nothing else of it: the update has no " +
			"resourceVersion, so that it " +
			"overwrites whatever others put there (https://github.com/kubernetes/kubernetes/issues/108267)"},
	{"pure: a sync has changed a slice", "pods=1 second-port=1 / older-version=1",
		"NewPortMapKey sorts the ports of slices in place, and hashEndpoint the addresses"},
	{"fixed-point: syncs go on to send writes, although these change nothing", topologyWithoutNode, oneByOne},
	{"fixed-point: a sync with the same lists in another order writes", topologyWithoutNode, oneByOne},
	{"deterministic: the writes differ", "/ add-pods=1", "endpoints come out of a map, and go into slices in this order"},
}

// TestKitReference puts Kubernetes' Reconciler under the test kit for writers, with the list of
// what it breaks.
func TestKitReference(t *testing.T) {
	o := slicertest.Options{ManagedBy: services.KubernetesManager, Max: 3, Also: []string{
		"deterministic", "fewest-writes", "no-moves", "Zone", "NodeName", "TargetRef", "HeadlessLabel", "Owner",
	}}
	known.Exactly(t, knownOfReference, func(replay string) ([]slicertest.Finding, error) {
		o.Replay = replay
		return slicertest.Check(o, kitReference(t, 3, true))
	}, func(f slicertest.Finding) string { return f.Cause })
}

// TestKitLateCaches puts the Reconciler under histories whose cache is late all the while. With its
// tracker it loses what its order of writes loses anyway; without the tracker it loses endpoints
// whose ports stay, too: 181 of 2000 histories.
func TestKitLateCaches(t *testing.T) {
	const order = "no-port-gap: … changes its ports, and is in no slice now"
	for _, c := range []struct {
		waits  bool
		causes []string
	}{{true, []string{order}}, {false, []string{"no-gap: … is wanted, was published, and is in no slice now", order}}} {
		found, err := slicertest.Check(slicertest.Options{
			ManagedBy: services.KubernetesManager, Max: 1, Also: []string{"LateCaches"}, Histories: 400,
			Without: []string{
				"Others", "Recreated", "Replicas", "Leftovers", "ReusedAddresses", "LostNodes", "IPv6", "NamedPorts", "SeveralPorts", "AppProtocol",
				"Headless", "PublishNotReady", "ServiceLabels", "Hints", "Namespaces", "Terminating", "NotReady", "Crashes",
			},
		}, kitReference(t, 1, c.waits))
		var causes []string
		for _, f := range found {
			causes = append(causes, f.Cause)
		}
		if err != nil || !slices.Equal(causes, c.causes) {
			t.Errorf("with its tracker %t: %q, want %q: %v", c.waits, causes, c.causes, err)
		}
	}
}
