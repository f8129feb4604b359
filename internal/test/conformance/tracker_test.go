package conformance

import (
	"context"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/endpointslice"
	"k8s.io/endpointslice/topologycache"
	"k8s.io/endpointslice/util"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// TestTrackerExpectsGoneSlice: while a create is under way, the Service is deleted and its slice is
// collected, and then a Service of the same name is created. Kubernetes' controller records the
// slice when the create returns. From then on all syncs are out of date, because the slice never
// comes back (https://github.com/kubernetes/kubernetes/issues/141592). A Syncer recovers.
func TestTrackerExpectsGoneSlice(t *testing.T) {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "1"},
		Spec: corev1.ServiceSpec{
			ClusterIP: "10.96.0.1", ClusterIPs: []string{"10.96.0.1"},
			IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol},
			Selector:   map[string]string{"app": "web"},
			Ports:      []corev1.ServicePort{{Port: 80, Protocol: corev1.ProtocolTCP}},
		}}
	pods := []*corev1.Pod{{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-1", Labels: svc.Spec.Selector},
		Spec:       corev1.PodSpec{NodeName: "node-1"},
		Status:     corev1.PodStatus{PodIPs: []corev1.PodIP{{IP: "10.0.0.1"}}},
	}}
	again := svc.DeepCopy()
	again.UID = "2"
	nodes := nodeLister{nodes: map[string]*corev1.Node{"node-1": {ObjectMeta: metav1.ObjectMeta{Name: "node-1"}}}}

	tracker := util.NewEndpointSliceTracker()
	client, list := collecting(t, func(gone *discoveryv1.EndpointSlice) {
		tracker.DeleteService(svc.Namespace, svc.Name)
		tracker.HandleDeletion(gone)
	})
	r := endpointslice.NewReconciler(client, &nodes, 100, tracker, topologycache.NewTopologyCache(), noEvents{},
		services.KubernetesManager)
	if err := r.Reconcile(logr.Discard(), svc, pods, nil, time.Unix(1_790_000_000, 0)); err != nil {
		t.Fatal(err)
	}
	outdated := 0
	for range 1_000 {
		if tracker.StaleSlices(again, list()) {
			outdated++
		}
	}
	if outdated != 1_000 {
		t.Errorf("%d of 1000 syncs are out of date: the bug is fixed, so FINDINGS.md must say in which release",
			outdated)
	}

	client, list = collecting(t, func(*discoveryv1.EndpointSlice) {})
	cache := func(string) lister { return list }
	syncer := publish.New(publish.ClientSlices(client.DiscoveryV1().EndpointSlices, cache, nil),
		services.Options{ManagedBy: "slices.example.com"})
	if _, err := syncer.Pods(t.Context(), svc, pods, nil); err != nil {
		t.Fatal(err)
	}
	calls := 0
	for len(list()) == 0 && calls < 100 {
		calls++
		_, _ = syncer.Pods(t.Context(), again, pods, nil)
	}
	if calls > 11 {
		t.Errorf("a Syncer needs %d calls", calls)
	}
}

// lister lists what there is, as a cache does that is never late.
type lister func() []*discoveryv1.EndpointSlice

func (l lister) List(labels.Selector) ([]*discoveryv1.EndpointSlice, error) { return l(), nil }

// collecting returns a client whose first create is executed, and followed by the deletion of the
// slice before it returns, and what lists the slices.
func collecting(t *testing.T, deleted func(*discoveryv1.EndpointSlice)) (*fake.Clientset, lister) {
	client, creates := fake.NewClientset(), 0
	client.PrependReactor("create", "endpointslices", func(action clienttesting.Action) (bool, runtime.Object, error) {
		if creates++; creates > 1 {
			return false, nil, nil
		}
		slice := action.(clienttesting.CreateAction).GetObject().(*discoveryv1.EndpointSlice).DeepCopy()
		slice.UID, slice.ResourceVersion, slice.Generation = "gone", "5", 1
		deleted(slice)
		return true, slice, nil
	})
	return client, func() []*discoveryv1.EndpointSlice {
		list, err := client.DiscoveryV1().EndpointSlices("shop").List(context.Background(), metav1.ListOptions{})
		if err != nil {
			t.Error(err)
		}
		return slicer.Pointers(list.Items)
	}
}
