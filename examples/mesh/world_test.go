package main

import (
	"fmt"
	"maps"
	"net"
	"slices"
	"testing"
	"time"

	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpoint "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// world is a Service with Pods, its slices as slicer plans them, and the mesh that watches these.
type world struct {
	testing.TB
	service *corev1.Service
	pods    []*corev1.Pod
	options slicer.Options
	api     server
	store   *store
	caches  *caches
	address string // of the control plane
	steps   int
}

func newWorld(t testing.TB) *world {
	w := &world{TB: t, store: newStore(&dedup.Index{}), caches: newCaches(1000),
		options: slicer.Options{MaxEndpointsPerSlice: 2}}
	w.service = &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "web"},
		Spec: corev1.ServiceSpec{
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

// pod adds a ready Pod. Its number makes its name and address.
func (w *world) pod(number int, zone string) *corev1.Pod {
	name := fmt.Sprintf("web-%d", number)
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name), Labels: w.service.Spec.Selector},
		Spec:       corev1.PodSpec{NodeName: "node-" + zone},
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

func isReady(p *corev1.Pod) bool {
	return p.DeletionTimestamp == nil && p.Status.Conditions[0].Status == corev1.ConditionTrue
}

// healthy is the IPs that clients in zone a may send to; none as long as there are no such clients.
func (w *world) healthy() map[string]bool {
	w.caches.mu.Lock()
	clients := w.caches.places[hints.Location{Zone: "a"}]
	w.caches.mu.Unlock()
	ips := map[string]bool{}
	if clients == 0 {
		return ips
	}
	for _, l := range assigned(w, w.caches, "a", target).GetEndpoints() {
		for _, e := range l.GetLbEndpoints() {
			ips[e.GetEndpoint().GetAddress().GetSocketAddress().GetAddress()] = e.GetHealthStatus() == core.HealthStatus_HEALTHY
		}
	}
	return ips
}

// assigned is what clients in a zone get for a service port; nil if there is none.
func assigned(t testing.TB, c *caches, zone, name string) *endpoint.ClusterLoadAssignment {
	t.Helper()
	c.endpoints.mu.Lock()
	port := c.endpoints.now.ports[name]
	c.endpoints.mu.Unlock()
	if port == nil {
		return nil
	}
	a := &endpoint.ClusterLoadAssignment{}
	if err := port.at(hints.Location{Zone: zone}).resource.UnmarshalTo(a); err != nil {
		t.Fatal(err)
	}
	return a
}

// reconcile writes the slices as planned, and lets the mesh see and serve the state after every single write.
func (w *world) reconcile() {
	w.Helper()
	in, err := service.Input(w.service, w.pods, func(name string) *corev1.Node {
		return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name,
			Labels: map[string]string{corev1.LabelTopologyZone: name[len("node-"):]}}}
	}, service.Options{ManagedBy: "slices.example.com"})
	if err != nil || len(in.Skips) > 0 {
		w.Fatal(err, in.Skips)
	}
	in.Options = w.options
	plan, err := slicer.Compute(in, w.api.List())
	if err != nil || len(plan.Skips) > 0 {
		w.Fatal(err, plan)
	}
	before := w.healthy()
	for _, step := range plan.Steps {
		w.apply(step)
		w.store.publish(w.caches)
		after := w.healthy()
		for _, p := range w.pods {
			if ip := p.Status.PodIPs[0].IP; before[ip] && !after[ip] && isReady(p) {
				w.Errorf("clients were without %s, which stays, after %v", p.Name, step)
			}
		}
		time.Sleep(20 * time.Millisecond) // so that clients see most of these states
	}
	w.steps += len(plan.Steps)
}

func (w *world) apply(step slicer.Step) {
	w.Helper()
	slice, err := w.api.apply(step)
	switch {
	case err != nil:
	case step.Verb == slicer.Delete:
		err = w.store.Delete(step.Old)
	case step.Verb == slicer.Create:
		err = w.store.Add(slice)
	default:
		err = w.store.Update(slice)
	}
	if err != nil {
		w.Fatal(err)
	}
}

// server is an API server for one writer, as far as a plan needs one.
type server struct {
	slices  map[string]*discoveryv1.EndpointSlice
	version int
}

func (s *server) List() []*discoveryv1.EndpointSlice { return slices.Collect(maps.Values(s.slices)) }

// apply stores a step under the next resourceVersion and returns the slice.
func (s *server) apply(step slicer.Step) (*discoveryv1.EndpointSlice, error) {
	if s.slices == nil {
		s.slices = map[string]*discoveryv1.EndpointSlice{}
	}
	if old := step.Old; old != nil && (s.slices[old.Name] == nil || s.slices[old.Name].ResourceVersion != old.ResourceVersion) {
		return nil, fmt.Errorf("%s is not as it was planned on", old.Name)
	}
	if step.Verb == slicer.Delete {
		delete(s.slices, step.Old.Name)
		return nil, nil
	}
	s.version++
	stored := step.New.DeepCopy()
	stored.ResourceVersion = fmt.Sprint(s.version)
	if step.Verb == slicer.Create {
		if s.slices[stored.Name] != nil {
			return nil, fmt.Errorf("%s is there", stored.Name)
		}
		stored.UID = types.UID(fmt.Sprint("slice-", s.version))
	}
	s.slices[stored.Name] = stored
	return stored, nil
}
