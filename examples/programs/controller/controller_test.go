package controller

import (
	"context"
	"io"
	"log"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

// show fills an informer's cache.
func show[T any](t *testing.T, informer cache.SharedIndexInformer, list ...T) {
	objects := make([]any, len(list))
	for i := range list {
		objects[i] = list[i]
	}
	if err := informer.GetIndexer().Replace(objects, ""); err != nil {
		t.Error(err)
	}
}

// TestControllerKeepsTheGuarantees runs SyncNamed with the writers' kit, whose caches are late all
// the while: 200 histories, or the number in SLICEWRIGHT_CASES.
func TestControllerKeepsTheGuarantees(t *testing.T) {
	histories := 200
	if asked, err := strconv.Atoi(os.Getenv("SLICEWRIGHT_CASES")); err == nil {
		histories = asked
	}
	log.SetOutput(io.Discard)
	defer log.SetOutput(os.Stderr)
	o := slicertest.Options{ManagedBy: "slices.example.com", Histories: histories, Also: []string{
		"LateCaches", "deterministic", "fewest-writes", "no-moves",
		"Zone", "NodeName", "TargetRef", "HeadlessLabel", "Owner",
	}}
	slicertest.Run(t, o, func(server http.RoundTripper) func(context.Context, slicertest.State) error {
		client := kubernetes.NewForConfigOrDie(&rest.Config{Host: "http://kit", Transport: server, QPS: -1})
		caches := informers.NewSharedInformerFactory(client, 0)
		syncer, err := NewSyncer(client, caches)
		return func(ctx context.Context, s slicertest.State) error {
			show[*corev1.Service](t, caches.Core().V1().Services().Informer())
			if s.Service != nil {
				show(t, caches.Core().V1().Services().Informer(), s.Service)
			}
			show(t, caches.Core().V1().Pods().Informer(), s.Pods...)
			show(t, caches.Core().V1().Nodes().Informer(), s.Nodes...)
			show(t, caches.Discovery().V1().EndpointSlices().Informer(), s.Slices...)
			if err != nil {
				return err
			}
			return SyncNamed(ctx, syncer, caches, s.Key)
		}
	})
}

// cluster is a Service with a Pod on each of two Nodes, and what is logged.
type cluster struct {
	*testing.T
	client *fake.Clientset
	caches informers.SharedInformerFactory
	svc    *corev1.Service
	nodes  []*corev1.Node
	sync   func() (logged string, err error)
}

func newCluster(t *testing.T) *cluster {
	w := &cluster{T: t, client: fake.NewClientset()}
	w.caches = informers.NewSharedInformerFactory(w.client, 0)
	syncer, err := NewSyncer(w.client, w.caches)
	if err != nil {
		t.Fatal(err)
	}
	w.sync = func() (string, error) {
		var logged strings.Builder
		log.SetOutput(&logged)
		defer log.SetOutput(os.Stderr)
		err := SyncNamed(t.Context(), syncer, w.caches, types.NamespacedName{Namespace: "shop", Name: "web"})
		return logged.String(), err
	}
	w.svc = &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "1"},
		Spec: corev1.ServiceSpec{
			Type: corev1.ServiceTypeClusterIP, ClusterIP: "10.96.0.1", Selector: map[string]string{"app": "web"},
			IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol},
			Ports:      []corev1.ServicePort{{Port: 80}},
		}}
	var pods []*corev1.Pod
	for _, i := range []string{"1", "2"} {
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-" + i}}
		w.nodes = append(w.nodes, node)
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-" + i}}
		pod.Labels = w.svc.Spec.Selector
		pod.Spec.NodeName = node.Name
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		pod.Status.PodIPs = []corev1.PodIP{{IP: "10.0.0." + i}, {IP: "fd00::" + i}}
		pods = append(pods, pod)
	}
	show(t, w.caches.Core().V1().Services().Informer(), w.svc)
	show(t, w.caches.Core().V1().Pods().Informer(), pods...)
	show(t, w.caches.Core().V1().Nodes().Informer(), w.nodes...)
	return w
}

// see lists the addresses in slices, and shows the slices to the cache.
func (w *cluster) see() (held []string) {
	list, err := w.client.DiscoveryV1().EndpointSlices("shop").List(w.Context(), metav1.ListOptions{})
	if err != nil {
		w.Fatal(err)
	}
	for _, s := range list.Items {
		for _, e := range s.Endpoints {
			held = append(held, e.Addresses[0])
		}
	}
	show(w.T, w.caches.Discovery().V1().EndpointSlices().Informer(), slicer.Pointers(list.Items)...)
	slices.Sort(held)
	return held
}

func (w *cluster) want(want ...string) {
	w.Helper()
	if got := w.see(); !slices.Equal(got, want) {
		w.Errorf("slices hold %q, want %q", got, want)
	}
}

// TestMissingNode: Pods whose Node is not found wait for it, and stay if no Node is found.
func TestMissingNode(t *testing.T) {
	w := newCluster(t)
	show(t, w.caches.Core().V1().Nodes().Informer(), w.nodes[0])
	if logged, err := w.sync(); err == nil || !strings.Contains(logged, "web-2") {
		t.Errorf("the error is %v, and the log is %q", err, logged)
	}
	w.want("10.0.0.1", "fd00::1")
	show(t, w.caches.Core().V1().Nodes().Informer(), w.nodes...)
	if logged, err := w.sync(); err != nil || logged != "" {
		t.Error(logged, err)
	}
	w.want("10.0.0.1", "10.0.0.2", "fd00::1", "fd00::2")
	show[*corev1.Node](t, w.caches.Core().V1().Nodes().Informer())
	if _, err := w.sync(); err == nil {
		t.Error("no Node is found, and there is no error")
	}
	w.want("10.0.0.1", "10.0.0.2", "fd00::1", "fd00::2")
}

// TestNotPublished: what is not published is logged, and a mistake in the Service is not tried
// again.
func TestNotPublished(t *testing.T) {
	w := newCluster(t)
	svc := w.svc.DeepCopy()
	svc.Spec.Ports[0].TargetPort = intstr.FromString("missing")
	show(t, w.caches.Core().V1().Services().Informer(), svc)
	if logged, err := w.sync(); err != nil || !strings.Contains(logged, "web-1") {
		t.Errorf("the error is %v, and the log is %q", err, logged)
	}
	svc = w.svc.DeepCopy()
	svc.Spec.Ports = []corev1.ServicePort{{Name: "a", Port: 80}, {Name: "a", Port: 81}}
	show(t, w.caches.Core().V1().Services().Informer(), svc)
	w.see()
	if logged, err := w.sync(); err != nil || logged == "" {
		t.Errorf("the error is %v, and the log is %q", err, logged)
	}
}

// TestNotManaged: slices of a Service without a selector stay, as in Kubernetes, and those of a
// deleted one are the garbage collector's.
func TestNotManaged(t *testing.T) {
	w := newCluster(t)
	if _, err := w.sync(); err != nil {
		t.Fatal(err)
	}
	w.want("10.0.0.1", "10.0.0.2", "fd00::1", "fd00::2")
	svc := w.svc.DeepCopy()
	svc.Spec.Selector = nil
	show(t, w.caches.Core().V1().Services().Informer(), svc)
	if logged, err := w.sync(); err != nil || logged != "" {
		t.Error(logged, err)
	}
	show[*corev1.Service](t, w.caches.Core().V1().Services().Informer())
	if logged, err := w.sync(); err != nil || logged != "" {
		t.Error(logged, err)
	}
	w.want("10.0.0.1", "10.0.0.2", "fd00::1", "fd00::2")
}
