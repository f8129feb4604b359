package conformance

import (
	"slices"
	"strconv"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	"k8s.io/endpointslice"
	"k8s.io/endpointslice/topologycache"
	"k8s.io/endpointslice/util"

	"github.com/slicewright/slicewright/slicer/services"
)

// Reference is Kubernetes' published Reconciler, with a client that records.
type Reference struct {
	reconciler *endpointslice.Reconciler
	client     *recorder
	topology   *topologycache.TopologyCache
}

// NewReference makes a Reconciler for a cluster's Nodes and maximum. Its logs and events go
// nowhere.
func NewReference(c *Cluster) *Reference {
	r := &Reference{client: newRecorder(), topology: topologycache.NewTopologyCache()}
	r.topology.SetNodes(logr.Discard(), c.nodes())
	r.reconciler = endpointslice.NewReconciler(r.client, nodeLister{nodes: c.Nodes}, int32(c.Max),
		util.NewEndpointSliceTracker(), r.topology, noEvents{}, services.KubernetesManager,
		endpointslice.WithPreferSameTrafficDistributionEnabled(true))
	return r
}

// noEvents drops events.
type noEvents struct{ record.EventRecorder }

func (noEvents) Event(runtime.Object, string, string, string) {}

// Plan returns what the Reconciler writes, given what the control plane's controller gives it: the
// Pods that are selected, and the slices labelled as the Service's that are not being deleted.
// These come with the highest resourceVersion first: the Reconciler lets an endpoint stay in the
// first slice of the list that holds it, and the list comes out of a map, so that any order is one
// that it may meet. It gets copies, because it changes its input.
//
// The error is that of Reconcile: Pods that were left out because their Node is missing.
func (r *Reference) Plan(c *Cluster) ([]Write, error) {
	live := copies(c.live())
	slices.SortStableFunc(live, func(a, b *discoveryv1.EndpointSlice) int { return revision(b) - revision(a) })
	return r.Reconcile(c, c.selected(), live)
}

// Reconcile returns what the Reconciler writes for just these Pods and slices, which it may change.
func (r *Reference) Reconcile(c *Cluster, pods []*corev1.Pod, existing []*discoveryv1.EndpointSlice) ([]Write, error) {
	r.client.writes = nil
	err := r.reconciler.Reconcile(logr.Discard(), c.Service, pods, existing, c.Trigger)
	return r.client.writes, err
}

func copies(list []*discoveryv1.EndpointSlice) []*discoveryv1.EndpointSlice {
	out := make([]*discoveryv1.EndpointSlice, len(list))
	for i, s := range list {
		out[i] = s.DeepCopy()
	}
	return out
}

func revision(s *discoveryv1.EndpointSlice) int {
	n, _ := strconv.Atoi(s.ResourceVersion)
	return n
}
