package main

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/slicewright/slicewright/internal/test/bench"
)

// TestOurs checks that our side follows each kind of event, and tries again after an error. Without
// that, the figures would compare Kubernetes' controller with one that leaves work undone.
func TestOurs(t *testing.T) {
	svc := bench.NewService("shop", "web")
	svc.Spec.Selector = map[string]string{"app": "web"}
	first, second := bench.NewPod(svc, 1, "node-1"), bench.NewPod(svc, 2, "node-1")
	client := fake.NewClientset(svc, first, bench.NewNode("node-1", "a", 4))
	var failures atomic.Int32
	client.PrependReactor("create", "endpointslices", func(clienttesting.Action) (bool, runtime.Object, error) {
		if failures.Add(1) == 1 {
			return true, nil, errors.New("the API server does not answer")
		}
		return false, nil, nil
	})
	ctx := t.Context()
	done := make(chan error, 1)
	go func() { done <- newOurs(client, 0).run(ctx) }()

	slices := client.DiscoveryV1().EndpointSlices("shop")
	list := func() []discoveryv1.EndpointSlice {
		all, err := slices.List(ctx, metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return all.Items
	}
	eventually := func(what string, holds func() bool) {
		t.Helper()
		poll := func(context.Context) (bool, error) { return holds(), nil }
		if err := wait.PollUntilContextTimeout(ctx, 10*time.Millisecond, time.Minute, true, poll); err != nil {
			t.Fatalf("%s: never; the slices are %v", what, list())
		}
	}
	published := func(n int) func() bool {
		return func() bool { all := list(); return len(all) == 1 && len(all[0].Endpoints) == n }
	}
	eventually("a Pod is published after a create that failed", published(1))
	if _, err := client.CoreV1().Pods("shop").Create(ctx, second, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually("a Pod that comes is published", published(2))
	if err := slices.Delete(ctx, list()[0].Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually("a slice that another program deletes is created again", published(2))
	node := bench.NewNode("node-1", "b", 4)
	if _, err := client.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually("endpoints follow the zone of their Node", func() bool { return *list()[0].Endpoints[0].Zone == "b" })
	if err := client.CoreV1().Services("shop").Delete(ctx, "web", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually("the slices of a Service that is gone are deleted", func() bool { return len(list()) == 0 })
	select {
	case err := <-done:
		t.Error("it ends: ", err)
	default:
	}
}
