package main

import (
	"slices"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
)

const target = "web.shop:grpc"

// start serves n Pods in zones a, b and c in turn, and returns a client in zone a that sends requests all the time.
func start(t *testing.T, w *world, n *network, pods int, ports ...int) *traffic {
	t.Helper()
	for i := range pods {
		p := w.pod(i+1, []string{"a", "b", "c"}[i%3])
		for _, port := range ports {
			n.serve(t, at(p, port))
		}
	}
	w.reconcile()
	c := newTraffic(t, dialXDS(t, target, w.address, "a", n), n)
	if _, err := c.send(); err != nil { // from now on, the control plane knows of a client in zone a
		t.Fatal(err)
	}
	return c
}

func addresses(pods []*corev1.Pod, port int) (list []string) {
	for _, p := range pods {
		list = append(list, at(p, port))
	}
	return list
}

// Every Pod is replaced: a new one comes, the old one terminates, and is gone.
func TestRollingUpdate(t *testing.T) {
	w, n := newWorld(t), newNetwork(t)
	c := start(t, w, n, 5, 8080)
	c.reaches(addresses(w.pods, 8080)...)
	for i, old := range w.pods[:5:5] {
		next := w.pod(11+i, old.Spec.NodeName[len("node-"):])
		n.serve(t, at(next, 8080))
		w.reconcile()
		terminate(old)
		w.reconcile()
		w.remove(old)
		c.reaches(addresses(w.pods, 8080)...)
		n.forbid(at(old, 8080))
		n.stop(at(old, 8080))
		w.reconcile()
	}
	c.reaches(addresses(w.pods, 8080)...)
	if w.steps < 15 {
		t.Errorf("%d writes: the slices did not roll", w.steps)
	}
}

// All Pods listen on both ports, and the Service's target port changes: several slices are written one after the other.
func TestPortChange(t *testing.T) {
	w, n := newWorld(t), newNetwork(t)
	c := start(t, w, n, 7, 8080, 9090)
	c.reaches(addresses(w.pods, 8080)...)
	w.service.Spec.Ports[0].TargetPort = intstr.FromInt32(9090)
	before := w.steps
	w.reconcile()
	if w.steps-before < 4 {
		t.Errorf("%d writes, want one of each of 4 slices", w.steps-before)
	}
	c.reaches(addresses(w.pods, 9090)...)
	for _, p := range w.pods {
		n.forbid(at(p, 8080))
		n.stop(at(p, 8080))
	}
	c.reaches(addresses(w.pods, 9090)...)
}

// Half of the Pods leave, and the others move together: each is in its new slice before it leaves the old one.
func TestSlicesMerge(t *testing.T) {
	w, n := newWorld(t), newNetwork(t)
	w.options.Packing = slicer.Compact
	c := start(t, w, n, 8, 8080)
	c.reaches(addresses(w.pods, 8080)...)
	for _, slice := range w.api.List() {
		ip := slice.Endpoints[0].Addresses[0]
		w.pods = slices.DeleteFunc(w.pods, func(p *corev1.Pod) bool { return p.Status.PodIPs[0].IP == ip })
	}
	w.reconcile()
	if left := len(w.api.List()); left != 2 {
		t.Errorf("%d slices are left, want 2", left)
	}
	c.reaches(addresses(w.pods, 8080)...)
}

// A Pod that terminates gets no request while there are ready ones, and some when it and its like are all there is.
func TestDrain(t *testing.T) {
	w, n := newWorld(t), newNetwork(t)
	c := start(t, w, n, 3, 8080)
	one, two, three := w.pods[0], w.pods[1], w.pods[2]
	c.reaches(addresses(w.pods, 8080)...)

	terminate(one)
	w.reconcile()
	c.reaches(at(two, 8080), at(three, 8080))
	n.forbid(at(one, 8080))
	setReady(two, corev1.ConditionFalse)
	w.reconcile()
	c.reaches(at(three, 8080))
	n.forbid(at(two, 8080))

	setReady(two, corev1.ConditionTrue)
	n.serveAgain(at(one, 8080))
	n.serveAgain(at(two, 8080))
	terminate(two)
	terminate(three)
	w.reconcile()
	c.reaches(addresses(w.pods, 8080)...)
}

// The client stays in its zone, finds the others by itself when the servers there stop, before any slice says so, and
// comes back with them.
func TestZoneLost(t *testing.T) {
	w, n := newWorld(t), newNetwork(t)
	w.options.Hints.Mode = hints.SameZone
	c := start(t, w, n, 6, 8080)
	here, elsewhere := []*corev1.Pod{w.pods[0], w.pods[3]}, []*corev1.Pod{w.pods[1], w.pods[2], w.pods[4], w.pods[5]}
	c.reaches(addresses(here, 8080)...)

	for _, p := range here {
		n.stop(at(p, 8080))
	}
	c.reaches(addresses(elsewhere, 8080)...)
	for _, p := range here {
		setReady(p, corev1.ConditionFalse)
	}
	w.reconcile()
	c.reaches(addresses(elsewhere, 8080)...)

	for _, p := range here {
		n.serve(t, at(p, 8080))
		setReady(p, corev1.ConditionTrue)
	}
	w.reconcile()
	c.reaches(addresses(here, 8080)...)
	for _, p := range elsewhere {
		n.forbid(at(p, 8080))
	}
	c.reaches(addresses(here, 8080)...)
}

// A Service without slices is gone, which clients are told at once, and found again when it comes back.
func TestServiceGone(t *testing.T) {
	w, n := newWorld(t), newNetwork(t)
	p := w.pod(1, "a")
	n.serve(t, at(p, 8080))
	w.reconcile()
	c := &traffic{T: t, network: n, client: grpc_health_v1.NewHealthClient(dialXDS(t, target, w.address, "a", n))}
	c.reaches(at(p, 8080))
	for _, slice := range w.api.List() {
		w.apply(slicer.Step{Verb: slicer.Delete, Old: slice})
	}
	w.store.publish(w.caches)
	c.until(func(err error) bool { return status.Code(err) == codes.Unavailable })
	w.reconcile()
	c.until(func(err error) bool { return err == nil })
	c.reaches(at(p, 8080))
}

// A client in zone a is told by weights where to send: all of it stays there while its own endpoints can take it, and some goes where
// there is room when most of the traffic comes from there.
func TestSpreadTraffic(t *testing.T) {
	for text, want := range map[string][]int{"a=1,b=9": {0, 3}, "a=9,b=1": {0, 1, 2, 3, 4}} {
		t.Run(text, func(t *testing.T) {
			w, n := newWorld(t), newNetwork(t)
			var err error
			if w.caches.spread, err = parseSpread(text, 0); err != nil {
				t.Fatal(err)
			}
			c := start(t, w, n, 5, 8080)
			var pods []*corev1.Pod
			for _, i := range want {
				pods = append(pods, w.pods[i])
			}
			c.reaches(addresses(pods, 8080)...)
		})
	}
}
