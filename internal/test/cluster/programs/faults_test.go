package cluster

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// storm lets everything happen at once, and then waits until nothing happens. No address that was once seen may be missing until its
// Pod, or its Node, goes. between is called after each thing that happens.
func (c *cluster) storm(between func(i int)) {
	c.Helper()
	happened := 0
	next := func() {
		time.Sleep(20 * time.Millisecond)
		between(happened)
		happened++
	}
	address := map[string]string{} // by Pod
	add := func(name string, i int) {
		address[name] = c.pod(name, string(rune('a'+i%3)))
		c.view.expect(address[name])
	}
	remove := func(name string) {
		c.view.release(address[name])
		c.remove(name)
	}
	svc := c.service("web")
	for i := range 11 {
		add(fmt.Sprintf("old-%d", i), i)
	}
	wait(c.T, "nothing is published", func() string {
		if len(c.ours()) == 0 {
			return "no slice"
		}
		return ""
	})
	next()
	for i := range 7 { // a rolling update
		add(fmt.Sprintf("new-%d", i), i)
		next()
		old := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: fmt.Sprintf("old-%d", i)}}
		c.view.release(address[old.Name])
		c.do(c.admin.Delete(c.Context(), old, client.GracePeriodSeconds(30))) // it is terminating now
		next()
		remove(old.Name)
		next()
	}
	change(c, svc, func(svc *corev1.Service) { svc.Spec.Ports[0].TargetPort = intstr.FromInt32(9090) })
	next()
	change(c, svc, func(svc *corev1.Service) { svc.Labels["team"] = "red" })
	next()
	for i := range 5 {
		remove(fmt.Sprintf("new-%d", i))
	}
	next()
	change(c, svc, func(svc *corev1.Service) { svc.Spec.Ports[0].TargetPort = intstr.FromInt32(8080) })
	for i := range 5 {
		add(fmt.Sprintf("more-%d", i), i)
	}
	next()
	c.do(c.admin.Delete(c.Context(), svc)) // nobody collects garbage here: its slices are there when the next one comes
	next()
	c.service("web")
	next()
	for _, name := range []string{"old-8", "new-5", "more-2"} { // those on it
		c.view.release(address[name])
	}
	c.do(c.admin.Delete(c.Context(), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: c.node("c")}}))
	next()
	c.converge()
}

// conflict makes every third write fail: somebody else changed the slice, or the answer to a create is lost.
func (c *cluster) conflict(w *wire) {
	w.beforeWrite = func(n int, r *http.Request) error {
		if n%3 != 0 || r.Method == http.MethodPost {
			return nil
		}
		slice := &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: path.Base(r.URL.Path)}}
		patch := client.RawPatch("application/merge-patch+json",
			fmt.Appendf(nil, `{"metadata":{"annotations":{"touched":"%d"}}}`, n))
		return client.IgnoreNotFound(c.admin.Patch(context.Background(), slice, patch))
	}
	w.afterWrite = func(n int, r *http.Request) error {
		if n%3 != 0 || r.Method != http.MethodPost {
			return nil
		}
		return errors.New("the answer is lost")
	}
}

// TestFaults lets the way to the API server fail: somebody else writes, answers are lost, watches are late and cut.
func TestFaults(t *testing.T) {
	t.Parallel()
	c, w := newCluster(t), &wire{}
	c.conflict(w)
	w.late = func() time.Duration { return time.Duration(rand.IntN(300)) * time.Millisecond } // watches of slices
	c.start(w)
	c.storm(func(i int) {
		if i%5 == 2 {
			w.cut()
		}
	})
	if w.written() < 3 {
		t.Errorf("%d writes: this test shows nothing", w.written())
	}
}

// TestRestartedServer restarts the API server in the middle of things, with a server of its own.
func TestRestartedServer(t *testing.T) {
	t.Parallel()
	server, admin, err := newServer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	c := newClusterOn(t, server, admin)
	c.start(&wire{})
	c.storm(func(i int) {
		if i != 6 && i != 25 { // the last thing that happens is 28
			return
		}
		c.do(server.Restart(t.Context(), 500*time.Millisecond))
		wait(c.T, "the server is not back", func() string {
			if err := admin.List(t.Context(), &corev1.NamespaceList{}); err != nil {
				return err.Error()
			}
			return ""
		})
	})
}
