package cluster

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// storm lets everything happen at once, and then waits until nothing happens. between is called
// after each thing that happens.
func (c *cluster) storm(between func(i int)) {
	c.Helper()
	happened := 0
	next := func() {
		time.Sleep(20 * time.Millisecond)
		between(happened)
		happened++
	}
	svc := c.service("web")
	c.pods("old", 11)
	wait(c.T, "nothing is published", func() string {
		if len(c.ours()) == 0 {
			return "no slice"
		}
		return ""
	})
	next()
	for i := range 7 { // a rolling update
		c.pod(fmt.Sprintf("new-%d", i), string(rune('a'+i%3)))
		next()
		old := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: fmt.Sprintf("old-%d", i)}}
		c.do(c.admin.Delete(c.Context(), old, client.GracePeriodSeconds(30))) // it is terminating now
		next()
		c.remove(old.Name)
		next()
	}
	change(c, svc, func(svc *corev1.Service) { svc.Spec.Ports[0].TargetPort = intstr.FromInt32(9090) })
	next()
	change(c, svc, func(svc *corev1.Service) { svc.Labels["team"] = "red" })
	next()
	c.remove("new-0", "new-1", "new-2", "new-3", "new-4")
	next()
	change(c, svc, func(svc *corev1.Service) { svc.Spec.Ports[0].TargetPort = intstr.FromInt32(8080) })
	c.pods("more", 5)
	next()
	c.do(c.admin.Delete(c.Context(), svc)) // no garbage collector: its slices stay for the next one
	next()
	c.service("web")
	next()
	c.do(c.admin.Delete(c.Context(), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: c.node("c")}}))
	next()
	c.converge(8) // of eleven three were on that Node
}

// touch lets somebody else write all slices.
func (c *cluster) touch(i int) {
	for _, s := range c.ours() {
		patch := client.RawPatch("application/merge-patch+json",
			fmt.Appendf(nil, `{"metadata":{"annotations":{"touched":"%d"}}}`, i))
		c.do(client.IgnoreNotFound(c.admin.Patch(c.Context(), &s, patch)))
	}
}

// TestFaults writes between the controller's writes, and restarts the API server, which cuts all
// requests and watches, with a server of its own.
func TestFaults(t *testing.T) {
	t.Parallel()
	server, admin, err := newServer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	c := newCluster(t, server, admin)
	c.start()
	c.storm(func(i int) {
		c.touch(i)
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
