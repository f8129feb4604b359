package controller

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

// show makes an informer's cache what a list says.
func show[T any](t *testing.T, informer cache.SharedIndexInformer, list ...T) {
	objects := make([]any, len(list))
	for i := range list {
		objects[i] = list[i]
	}
	if err := informer.GetIndexer().Replace(objects, ""); err != nil {
		t.Error(err)
	}
}

// TestControllerKeepsTheGuarantees lets the controller live through histories with late caches,
// faults, crashes, lost Nodes and Services that are created again: 200 histories, or the number in
// SLICEWRIGHT_CASES.
func TestControllerKeepsTheGuarantees(t *testing.T) {
	histories := 200
	if asked, err := strconv.Atoi(os.Getenv("SLICEWRIGHT_CASES")); err == nil {
		histories = asked
	}
	o := slicertest.Options{ManagedBy: "slices.example.com", Histories: histories, Also: []string{
		"LateCaches", "deterministic", "fewest-writes", "no-moves", "Zone", "NodeName", "TargetRef", "HeadlessLabel", "Owner",
	}}
	slicertest.Run(t, o, func(server http.RoundTripper) func(context.Context, slicertest.State) error {
		client := kubernetes.NewForConfigOrDie(&rest.Config{Host: "http://kit", Transport: server, QPS: -1})
		caches, tries := informers.NewSharedInformerFactory(client, 0), 0
		c := &controller{caches: caches, slices: NewSyncer(client, caches), tell: &recorder{},
			reported: map[string]hints.Decision{}}
		return func(ctx context.Context, s slicertest.State) error {
			show[*corev1.Service](t, caches.Core().V1().Services().Informer())
			if s.Service != nil {
				show(t, caches.Core().V1().Services().Informer(), s.Service)
			}
			show(t, caches.Core().V1().Pods().Informer(), s.Pods...)
			show(t, caches.Core().V1().Nodes().Informer(), s.Nodes...)
			show(t, caches.Discovery().V1().EndpointSlices().Informer(), s.Slices...)
			err := c.sync(ctx, s.Key.Namespace, s.Key.Name, tries)
			if tries++; err == nil {
				tries = 0
			}
			return err
		}
	})
}

// recorder keeps the reasons of events, and what they are about.
type recorder struct{ told []string }

func (r *recorder) Eventf(about, related runtime.Object, _, reason, _, note string, args ...any) {
	text := about.(*corev1.Service).Name + " " + reason
	if o, ok := related.(*corev1.ObjectReference); ok {
		text += " " + o.Kind + " " + o.Name
	}
	if fmt.Sprintf(note, args...) == "" {
		text += " without a text"
	}
	r.told = append(r.told, text)
}

// world is a cluster with a dual-stack Service, whose Pods are on Nodes in two zones.
type world struct {
	*testing.T
	*controller
	client *fake.Clientset
	svc    *corev1.Service
	nodes  []*corev1.Node
}

func newWorld(t *testing.T) *world {
	w := &world{T: t, client: fake.NewClientset()}
	caches := informers.NewSharedInformerFactory(w.client, 0)
	w.controller = &controller{caches: caches, slices: NewSyncer(w.client, caches),
		reported: map[string]hints.Decision{}}
	w.svc = &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "1"},
		Spec: corev1.ServiceSpec{
			Type: corev1.ServiceTypeClusterIP, ClusterIP: "10.96.0.1", Selector: map[string]string{"app": "web"},
			IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol},
			Ports:      []corev1.ServicePort{{Port: 80}},
		}}
	var pods []*corev1.Pod
	for i := range 2 {
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("node-%d", i), Labels: map[string]string{
			corev1.LabelTopologyZone: fmt.Sprintf("zone-%d", i)}}}
		w.nodes = append(w.nodes, node)
		pods = append(pods, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprintf("web-%d", i),
				Labels: w.svc.Spec.Selector},
			Spec: corev1.PodSpec{NodeName: node.Name},
			Status: corev1.PodStatus{
				Phase:      corev1.PodRunning,
				Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
				PodIPs:     []corev1.PodIP{{IP: fmt.Sprintf("10.0.0.%d", i)}, {IP: fmt.Sprintf("fd00::%d", i)}},
			},
		})
	}
	other := pods[0].DeepCopy()
	other.Name, other.Labels = "other", nil
	show(t, w.caches.Core().V1().Services().Informer(), w.svc)
	show(t, w.caches.Core().V1().Pods().Informer(), append(pods, other)...)
	show(t, w.caches.Core().V1().Nodes().Informer(), w.nodes...)
	return w
}

// sync calls the program, and returns what events say.
func (w *world) sync() ([]string, error) {
	var r recorder
	w.tell = &r
	err := w.controller.sync(w.Context(), "shop", "web", 0)
	return r.told, err
}

// see lets the cache of slices catch up, and returns what they hold.
func (w *world) see() (held []string) {
	list, err := w.client.DiscoveryV1().EndpointSlices("shop").List(w.Context(), metav1.ListOptions{})
	if err != nil {
		w.Fatal(err)
	}
	for _, s := range list.Items {
		for _, e := range s.Endpoints {
			text := e.Addresses[0]
			if e.Hints != nil {
				text += " for " + e.Hints.ForZones[0].Name
			}
			held = append(held, text)
		}
	}
	show(w.T, w.caches.Discovery().V1().EndpointSlices().Informer(), slicer.Pointers(list.Items)...)
	slices.Sort(held)
	return held
}

func (w *world) want(name string, got, want []string) {
	w.Helper()
	if !slices.Equal(got, want) {
		w.Errorf("%s %q, want %q", name, got, want)
	}
}

// TestMissingNode: a Pod whose Node is not known yet asks for another call and is no event; the
// other Pod is published.
func TestMissingNode(t *testing.T) {
	w := newWorld(t)
	show(t, w.caches.Core().V1().Nodes().Informer(), w.nodes[0])
	told, err := w.sync()
	if err == nil || !strings.Contains(err.Error(), "web-1") || told != nil {
		t.Errorf("the error is %v, and events are %q", err, told)
	}
	w.want("slices hold", w.see(), []string{"10.0.0.0", "fd00::"})
	show(t, w.caches.Core().V1().Nodes().Informer(), w.nodes...)
	if told, err = w.sync(); err != nil || told != nil {
		t.Error(told, err)
	}
	w.want("slices hold", w.see(), []string{"10.0.0.0", "10.0.0.1", "fd00::", "fd00::1"})
}

// TestSkip: a warning is an event, once for all retries.
func TestSkip(t *testing.T) {
	w := newWorld(t)
	svc := w.svc.DeepCopy()
	svc.Spec.Ports[0].TargetPort = intstr.FromString("missing")
	show(t, w.caches.Core().V1().Services().Informer(), svc)
	if told, _ := w.sync(); len(told) == 0 || !strings.Contains(told[0], "Pod web-0") {
		t.Errorf("events are %q", told)
	}
	w.see()
	var again recorder
	if w.tell = &again; w.controller.sync(w.Context(), "shop", "web", 1) != nil || again.told != nil {
		t.Errorf("events of a retry are %q", again.told)
	}
}

// TestHintsAreToldOnce: a decision about hints is an event when it changes, once for each family,
// and forgotten with the Service.
func TestHintsAreToldOnce(t *testing.T) {
	w := newWorld(t)
	for i, same := range []string{"", corev1.ServiceTrafficDistributionPreferSameZone,
		corev1.ServiceTrafficDistributionPreferSameZone} {
		svc, want := w.svc.DeepCopy(), []string{"web TopologyHints", "web TopologyHints"}
		if svc.Spec.TrafficDistribution = &same; same == "" {
			svc.Spec.TrafficDistribution, want = nil, nil
		} else if i == 2 {
			want = nil
		}
		show(t, w.caches.Core().V1().Services().Informer(), svc)
		told, err := w.sync()
		if err != nil {
			t.Fatal(err)
		}
		w.want("events are", told, want)
		w.see()
	}
	w.want("slices hold", w.see(), []string{"10.0.0.0 for zone-0", "10.0.0.1 for zone-1", "fd00:: for zone-0",
		"fd00::1 for zone-1"})
	show[*corev1.Service](t, w.caches.Core().V1().Services().Informer())
	if _, err := w.sync(); err != nil || len(w.reported) != 0 || w.see() != nil {
		t.Error("the Service is gone:", err, w.reported)
	}
}

// TestNotManaged: the slices of an ExternalName and of a Service that lost its selector go, and
// neither calls again.
func TestNotManaged(t *testing.T) {
	all := []string{"10.0.0.0", "10.0.0.1", "fd00::", "fd00::1"}
	for name, c := range map[string]struct {
		change func(*corev1.ServiceSpec)
		want   []string
	}{
		"ExternalName": {func(s *corev1.ServiceSpec) { s.Type, s.ExternalName = corev1.ServiceTypeExternalName, "example.com" }, nil},
		"no selector":  {func(s *corev1.ServiceSpec) { s.Selector = nil }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if _, err := w.sync(); err != nil {
				t.Fatal(err)
			}
			w.want("slices hold", w.see(), all)
			svc := w.svc.DeepCopy()
			c.change(&svc.Spec)
			show(t, w.caches.Core().V1().Services().Informer(), svc)
			if told, err := w.sync(); err != nil || told != nil {
				t.Error(told, err)
			}
			w.want("slices hold", w.see(), c.want)
		})
	}
}

var _ events.EventRecorder = &recorder{}
