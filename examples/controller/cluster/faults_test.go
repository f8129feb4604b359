package cluster

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/internal/test/apiserver"
)

// storm lets everything happen at once, and then waits for calm. No address that was once seen may be missing until its
// Pod, or its Node, goes. between is called after each thing that happens.
func (c *cluster) storm(between func(i int)) {
	c.Helper()
	happened := 0
	next := func() {
		time.Sleep(20 * time.Millisecond)
		if between != nil {
			between(happened)
		}
		happened++
	}
	address := map[string]string{} // by Pod
	add := func(name string, i int) {
		_, address[name] = c.pod(name, string(rune('a'+i%3)))
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
	c.wait("nothing is published", func() string {
		if len(c.ours()) == 0 {
			return "no slice"
		}
		return ""
	})
	next()
	for i := range 7 { // a rolling update
		add(fmt.Sprintf("new-%d", i), i)
		next()
		remove(fmt.Sprintf("old-%d", i))
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
	c.do(c.admin.Delete(c.Context(), svc))
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
func (c *cluster) conflict(w *wire) *atomic.Int32 {
	var failed atomic.Int32
	w.beforeWrite = func(n int, r *http.Request) error {
		if n%3 != 0 || r.Method == http.MethodPost {
			return nil
		}
		failed.Add(1)
		slice := &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{Namespace: c.namespace, Name: path.Base(r.URL.Path)}}
		patch := client.RawPatch("application/merge-patch+json",
			fmt.Appendf(nil, `{"metadata":{"annotations":{"touched":"%d"}}}`, n))
		return client.IgnoreNotFound(c.admin.Patch(context.Background(), slice, patch))
	}
	w.afterWrite = func(n int, r *http.Request) error {
		if n%3 != 0 || r.Method != http.MethodPost {
			return nil
		}
		failed.Add(1)
		return errors.New("the answer is lost")
	}
	return &failed
}

// late holds watches of slices back.
func late() time.Duration { return time.Duration(rand.IntN(300)) * time.Millisecond }

// cutting cuts all watches of the wire after every fifth thing that happens.
func cutting(w *wire) func(int) {
	return func(i int) {
		if i%5 == 2 {
			w.cut()
		}
	}
}

func TestConflicts(t *testing.T) {
	t.Parallel()
	c, w := newCluster(t), &wire{}
	failed := c.conflict(w)
	c.start(w)
	c.storm(nil)
	if failed.Load() == 0 {
		t.Error("nothing failed: this test shows nothing")
	}
}

func TestLateCache(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.start(&wire{late: late})
	c.storm(nil)
}

func TestCutWatches(t *testing.T) {
	t.Parallel()
	c, w := newCluster(t), &wire{}
	c.start(w)
	c.storm(cutting(w))
}

func TestAllFaultsTogether(t *testing.T) {
	t.Parallel()
	c, w := newCluster(t), &wire{late: late}
	c.conflict(w)
	c.start(w)
	c.storm(cutting(w))
}

// TestKilledAgain kills the controller all the time: each lives for five writes.
func TestKilledAgain(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	ctx := t.Context()
	calm := make(chan struct{})
	last := make(chan struct{})
	deaths := 0
	go func() {
		defer close(last)
		for ctx.Err() == nil {
			dying := make(chan struct{})
			w := &wire{}
			w.beforeWrite = func(n int, _ *http.Request) error {
				if n > 5 {
					w.die()
					if n == 6 {
						close(dying)
					}
					return errDead
				}
				return nil
			}
			r := c.start(w)
			select {
			case <-dying:
				deaths++
				r.kill()
			case <-calm:
				return
			}
		}
	}()
	c.storm(nil)
	close(calm)
	<-last
	if deaths == 0 {
		t.Error("nobody died: this test shows nothing")
	}
	t.Logf("killed %d times", deaths)
}

// TestKilledBetweenTwoWrites kills the controller before each write of a plan that creates, updates and deletes, and
// after each, before it has the answer. The next one finishes the work.
func TestKilledBetweenTwoWrites(t *testing.T) {
	t.Parallel()
	const steps = 6 // of the plan, which is checked
	for after := range steps {
		for _, answered := range []bool{true, false} {
			t.Run(fmt.Sprintf("write=%d answered=%v", after+1, answered), func(t *testing.T) {
				t.Parallel()
				c := newCluster(t)
				svc := c.rebuilding()
				if n := len(c.plan(svc).Steps); n != steps {
					t.Fatalf("%d steps instead of %d:\n%s", n, steps, c.plan(svc))
				}
				w := &wire{}
				dying := make(chan struct{})
				die := func() error {
					w.die()
					close(dying)
					return errDead
				}
				if answered {
					w.beforeWrite = func(n int, _ *http.Request) error {
						if n == after+1 {
							return die()
						}
						return w.alive()
					}
				} else {
					w.afterWrite = func(n int, _ *http.Request) error {
						if n == after+1 {
							return die()
						}
						return w.alive()
					}
				}
				r := c.start(w)
				select {
				case <-dying:
				case <-time.After(patience):
					t.Fatal("it does not write so much")
				}
				r.kill()
				c.start(&wire{})
				c.converge()
			})
		}
	}
}

// rebuilding leaves a Service without controller, and with a plan to come that creates, updates and deletes: the owner
// of some slices is gone, others have changed.
func (c *cluster) rebuilding() *corev1.Service {
	c.Helper()
	svc := c.service("web")
	stay := c.pods("stay", 5)
	c.pods("old", 6)
	r := c.start(&wire{})
	c.converge()
	r.stop()
	c.view.keep(stay...)
	c.remove("old-0", "old-3", "old-4", "old-5")
	c.pods("new", 6)
	stale := c.ours()[0]
	change(c, &stale, func(s *discoveryv1.EndpointSlice) { s.OwnerReferences[0].UID = "somebody-else" })
	c.do(c.admin.Get(c.Context(), client.ObjectKeyFromObject(svc), svc))
	return svc
}

// TestRestartedServer restarts the API server in the middle of things, with a server of its own.
func TestRestartedServer(t *testing.T) {
	t.Parallel()
	server, err := apiserver.Start(t.Context(), apiserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	admin, err := client.New(server.Config(apiserver.Admin), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := permit(admin); err != nil {
		t.Fatal(err)
	}
	c := newClusterOn(t, server, admin)
	c.start(&wire{})
	c.storm(func(i int) {
		if i != 6 && i != 18 { // the last thing that happens is 21
			return
		}
		c.do(server.Restart(t.Context(), 500*time.Millisecond))
		c.wait("the server is not back", func() string {
			if err := admin.List(t.Context(), &corev1.NamespaceList{}); err != nil {
				return err.Error()
			}
			return ""
		})
	})
}
