package main

import (
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/hints"
)

const target = "web.shop:grpc"

// start serves n Pods in zones a, b and c in turn, and returns a client in zone a that sends
// requests all the time.
func start(t *testing.T, w *world, n *network, pods int) *traffic {
	t.Helper()
	for i := range pods {
		p := w.pod(i+1, []string{"a", "b", "c"}[i%3])
		n.serve(t, at(p))
	}
	w.reconcile()
	c := newTraffic(t, dialXDS(t, target, w.address, "a", n))
	if _, err := c.send(); err != nil { // from now on, the control plane knows of a client in zone a
		t.Fatal(err)
	}
	return c
}

// Every Pod is replaced: a new one comes, the old one terminates, and is gone.
func TestRollingUpdate(t *testing.T) {
	w, n := newWorld(t), newNetwork(t)
	c := start(t, w, n, 5)
	c.reaches(w.pods...)
	for i, old := range w.pods[:5:5] {
		next := w.pod(11+i, old.Spec.NodeName[len("node-"):])
		n.serve(t, at(next))
		w.reconcile()
		terminate(old)
		w.reconcile()
		w.remove(old)
		c.reaches(w.pods...)
		n.stop(at(old))
		w.reconcile()
	}
	c.reaches(w.pods...)
	if w.steps < 15 {
		t.Errorf("%d writes: the slices did not roll", w.steps)
	}
}

// The client stays in its zone, finds the others by itself when the servers there stop, before any
// slice says so, and comes back with them.
func TestZoneLost(t *testing.T) {
	w, n := newWorld(t), newNetwork(t)
	w.options.Hints.Mode = hints.SameZone
	c := start(t, w, n, 6)
	here, elsewhere := []*corev1.Pod{w.pods[0], w.pods[3]}, []*corev1.Pod{w.pods[1], w.pods[2], w.pods[4], w.pods[5]}
	c.reaches(here...)

	for _, p := range here {
		n.stop(at(p))
	}
	c.reaches(elsewhere...)
	for _, p := range here {
		setReady(p, corev1.ConditionFalse)
	}
	w.reconcile()
	c.reaches(elsewhere...)

	for _, p := range here {
		n.serve(t, at(p))
		setReady(p, corev1.ConditionTrue)
	}
	w.reconcile()
	c.reaches(here...)
}

// If no Pod is ready, requests fail at once and reach no server, though all of them still run.
func TestNoneReady(t *testing.T) {
	w, n := newWorld(t), newNetwork(t)
	for i := range 2 {
		n.serve(t, at(w.pod(i+1, "a")))
	}
	w.reconcile()
	c := &traffic{T: t, client: grpc_health_v1.NewHealthClient(dialXDS(t, target, w.address, "a", n))}
	c.reaches(w.pods...)
	for _, p := range w.pods {
		setReady(p, corev1.ConditionFalse)
	}
	w.reconcile()
	failed := 0
	for deadline := time.Now().Add(patience); failed < 10 && time.Now().Before(deadline); {
		if _, err := c.send(); status.Code(err) == codes.Unavailable {
			failed++
		} else {
			failed = 0
		}
	}
	if failed < 10 {
		t.Error("requests still reach Pods that are not ready")
	}
}
