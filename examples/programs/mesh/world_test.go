package main

import (
	"fmt"
	"net"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// world is a Service with Pods, its slices as slicer plans them, and the mesh that watches these.
type world struct {
	testing.TB
	service *corev1.Service
	pods    []*corev1.Pod
	slices  []*discoveryv1.EndpointSlice
	options services.Options
	store   *store
	caches  *caches
	address string // of the control plane
	steps   int
}

func newWorld(t testing.TB) *world {
	w := &world{TB: t, store: newStore(&dedup.Index{}), caches: newCaches(1000),
		options: services.Options{ManagedBy: "slices.example.com", Slices: slicer.Options{MaxEndpointsPerSlice: 2}}}
	w.service = &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "web"},
		Spec: corev1.ServiceSpec{
			ClusterIP:  "10.96.0.1",
			IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol},
			Selector:   map[string]string{"app": "web"},
			Ports:      []corev1.ServicePort{{Name: "grpc", Port: 80, TargetPort: intstr.FromInt32(8080)}},
		},
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w.address = listener.Addr().String()
	server := newServer(t.Context(), w.caches)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	return w
}

// update tells the mesh of slices, and lets it serve them.
func (w *world) update(slices ...*discoveryv1.EndpointSlice) {
	w.Helper()
	for _, s := range slices {
		if err := w.store.Update(s); err != nil {
			w.Fatal(err)
		}
	}
	w.store.publish(w.caches)
}

// delete tells the mesh that a slice is gone.
func (w *world) delete(s *discoveryv1.EndpointSlice) {
	w.Helper()
	if err := w.store.Delete(s); err != nil {
		w.Fatal(err)
	}
	w.store.publish(w.caches)
}

// pod adds a ready Pod. Its number makes its name and address.
func (w *world) pod(number int, zone string) *corev1.Pod {
	name := fmt.Sprintf("web-%d", number)
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name),
			Labels: w.service.Spec.Selector},
		Spec: corev1.PodSpec{NodeName: "node-" + zone},
		Status: corev1.PodStatus{
			PodIPs:     []corev1.PodIP{{IP: fmt.Sprintf("10.0.0.%d", number)}},
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
		},
	}
	w.pods = append(w.pods, p)
	return p
}

func (w *world) remove(p *corev1.Pod) {
	w.pods = slices.DeleteFunc(slices.Clone(w.pods), func(other *corev1.Pod) bool { return other == p })
}

func at(p *corev1.Pod) string { return p.Status.PodIPs[0].IP + ":8080" }

func terminate(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)} }

func setReady(p *corev1.Pod, ready corev1.ConditionStatus) { p.Status.Conditions[0].Status = ready }

// reconcile writes the slices as planned, and lets the mesh see and serve the state after every
// single write.
func (w *world) reconcile() {
	w.Helper()
	node := func(name string) *corev1.Node {
		labels := map[string]string{corev1.LabelTopologyZone: name[len("node-"):]}
		return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
	}
	plan, err := services.Plan(w.service, w.pods, node, w.slices, w.options)
	if warnings := plan.Warnings(); err != nil || len(warnings) > 0 {
		w.Fatal(err, warnings)
	}
	for _, step := range plan.Steps {
		w.steps++
		if step.Verb == slicer.Delete {
			w.delete(step.Old)
		} else {
			step.New.ResourceVersion = fmt.Sprint(w.steps)
			w.update(step.New)
		}
		time.Sleep(20 * time.Millisecond) // so that clients see most of these states
	}
	w.slices = plan.After()
}
