package publish_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

const first = "web-jzl0q9xx-ipv4" // the name of the first slice of web

// sync publishes Pods of the Service web.
func (c *cluster) sync(numbers ...int) error {
	c.Helper()
	_, err := c.Sync(c.Context(), c.input(numbers...))
	return err
}

// TestNothingToDo: a sync without changes makes no request and remembers nothing.
func TestNothingToDo(t *testing.T) {
	c := newCluster(t)
	if err := c.sync(1, 2); err != nil || c.requests() != "create "+first {
		t.Fatal(err)
	}
	c.show()
	for range 3 {
		if err := c.sync(1, 2); err != nil || c.requests() != "" || c.Remembered() != 0 {
			t.Errorf("%v, requests %q, %d sets are remembered", err, c.requests(), c.Remembered())
		}
	}
}

// TestLateCache: nothing is planned before the cache shows the last write.
func TestLateCache(t *testing.T) {
	for _, upTo := range []string{"", "0"} {
		c := newCluster(t)
		c.upTo = upTo
		if err := c.sync(1); err != nil {
			t.Fatal(err)
		}
		c.requests()
		err := c.sync(1, 2)
		if !errors.Is(err, publish.ErrRetry) || errors.As(err, new(*field.Error)) ||
			!strings.Contains(err.Error(), "shop/"+first) || c.requests() != "" {
			t.Errorf("upTo %q: %v", upTo, err)
		}
		c.show()
		if err := c.sync(1, 2); err != nil || c.held() != "10.0.0.1 10.0.0.2" {
			t.Errorf("upTo %q: %v, slices hold %s", upTo, err, c.held())
		}
		if err := c.sync(1); !errors.Is(err, publish.ErrRetry) {
			t.Errorf("upTo %q: %v, and the cache does not show the update", upTo, err)
		}
		c.show()
		if _, err := c.Remove(t.Context(), c.input().Key); err != nil {
			t.Fatal(err)
		}
		if err := c.sync(1); !errors.Is(err, publish.ErrRetry) {
			t.Errorf("upTo %q: %v, and the cache does not show the delete", upTo, err)
		}
	}
}

// TestLostCreate: a create without answer that was not executed delays ten syncs; the next one
// lists live. Then the cache has to reach the list.
func TestLostCreate(t *testing.T) {
	c := newCluster(t)
	c.before = func(string) error { return errors.New("connection reset by peer") }
	if err := c.sync(1); err == nil || errors.Is(err, publish.ErrRetry) {
		t.Fatal(err)
	}
	c.before = never
	c.requests()
	for i := range 9 {
		c.show()
		if err := c.sync(1); !errors.Is(err, publish.ErrRetry) || c.requests() != "" {
			t.Fatalf("call %d: %v", i+2, err)
		}
	}
	if err := c.sync(1); err != nil || c.requests() != "list kubernetes.io/service-name=web, create "+first {
		t.Errorf("%v, slices hold %s", err, c.held())
	}
	if err := c.sync(1); !errors.Is(err, publish.ErrRetry) {
		t.Errorf("the cache has not reached the list: %v", err)
	}
	c.show()
	if err := c.sync(1); err != nil || c.requests() != "" || c.Remembered() != 0 {
		t.Errorf("%v, %d sets are remembered", err, c.Remembered())
	}
}

// TestDeadWatch: while the cache never moves, one sync in eleven lists live.
func TestDeadWatch(t *testing.T) {
	c := newCluster(t)
	if err := c.sync(1); err != nil {
		t.Fatal(err)
	}
	for range 1_000 {
		_ = c.sync(1)
	}
	if lists := strings.Count(c.requests(), "list "); lists != 90 {
		t.Errorf("%d lists", lists)
	}
}

// TestRefusedWrite: a write that is refused counts as a failure, and the next call does not wait
// for it.
func TestRefusedWrite(t *testing.T) {
	c := newCluster(t)
	if err := c.sync(1); err != nil {
		t.Fatal(err)
	}
	c.show()
	frozen := c.cache
	other := c.server.Get(first)
	other.Annotations = map[string]string{"other": "writer"}
	if _, err := c.server.Update(other); err != nil {
		t.Fatal(err)
	}
	c.requests()
	for i := range 10 {
		c.cache = frozen
		if err := c.sync(1, 2); !apierrors.IsConflict(err) || errors.Is(err, publish.ErrRetry) ||
			c.requests() != "update "+first {
			t.Fatalf("call %d: %v", i+1, err)
		}
	}
	if err := c.sync(1, 2); err != nil || c.held() != "10.0.0.1 10.0.0.2" {
		t.Errorf("%v, slices hold %s", err, c.held())
	}
}

// TestHiddenName: a slice that lost its label has a name that is wanted. If it is ours it gets the
// label back, and otherwise another name is used. One call fails.
func TestHiddenName(t *testing.T) {
	for _, c := range []struct {
		why    string
		change func(*discoveryv1.EndpointSlice)
		pods   []int
		want   string // the requests of the second call
		slices int
	}{
		{"ours, and as it is wanted", func(*discoveryv1.EndpointSlice) {}, []int{1}, "get " + first + ", update " + first, 1},
		{"ours, and not as it is wanted", func(*discoveryv1.EndpointSlice) {}, []int{1, 2}, "get " + first + ", update " + first, 1},
		{"of another manager", func(s *discoveryv1.EndpointSlice) {
			s.Labels[discoveryv1.LabelManagedBy] = "another"
		}, []int{1},
			"get " + first + ", create " + first + "-2", 2},
		{"of an earlier Service", func(s *discoveryv1.EndpointSlice) { s.OwnerReferences[0].UID = "earlier" }, []int{1},
			"get " + first + ", create " + first + "-2", 2},
	} {
		w := newCluster(t)
		if err := w.sync(1); err != nil {
			t.Fatal(err)
		}
		s := w.server.Get(first)
		delete(s.Labels, discoveryv1.LabelServiceName)
		c.change(s)
		if _, err := w.server.Update(s); err != nil {
			t.Fatal(err)
		}
		w.show()
		w.requests()
		if err := w.sync(c.pods...); !apierrors.IsAlreadyExists(err) || w.requests() != "create "+first {
			t.Errorf("%s: %v", c.why, err)
		}
		err := w.sync(c.pods...)
		if have := w.requests(); err != nil || have != c.want {
			t.Errorf("%s: %v, requests %q, want %q", c.why, err, have, c.want)
		}
		list := w.server.List()
		if last := list[len(list)-1]; len(list) != c.slices || last.Labels[discoveryv1.LabelServiceName] != "web" ||
			len(last.Endpoints) != len(c.pods) {
			t.Errorf("%s: %d slices, the last of which has the labels %v and %d endpoints", c.why, len(list),
				last.Labels, len(last.Endpoints))
		}
		w.show()
		if err := w.sync(c.pods...); err != nil || w.requests() != "" || w.Remembered() != 0 {
			t.Errorf("%s: %v, %d sets are remembered", c.why, err, w.Remembered())
		}
	}
}

// TestHiddenCopy: a slice that lost its label publishes nothing, even if it is the newest. The slice
// that took over keeps its endpoints.
func TestHiddenCopy(t *testing.T) {
	w := newCluster(t)
	sync := func(numbers ...int) error {
		w.show()
		in := w.input(numbers...)
		in.Options.MaxEndpointsPerSlice = 2
		_, err := w.Sync(t.Context(), in)
		return err
	}
	hide := func(s *discoveryv1.EndpointSlice) {
		delete(s.Labels, discoveryv1.LabelServiceName)
		s.Annotations = map[string]string{"version": s.ResourceVersion}
		if _, err := w.server.Update(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := sync(1, 2, 3); err != nil {
		t.Fatal(err)
	}
	hide(w.server.Get(first))
	if err := sync(1, 3); err != nil { // the other slice has room
		t.Fatal(err)
	}
	hide(w.server.Get(first)) // now it is the newest
	w.requests()
	if err := sync(1, 3, 4); !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
	err := sync(1, 3, 4)
	if log, want := w.requests(), "create "+first+", get "+first+", update "+first; err != nil || log != want {
		t.Errorf("%v, requests %q, want %q", err, log, want)
	}
}

// TestRetry: everything is written, and Input.Retry asks for another call, however often. It is no
// ErrRetry, not even if a function of the caller returned that.
func TestRetry(t *testing.T) {
	c := newCluster(t)
	for i := range 25 {
		in, err := services.FromPods(service("web"), pods(1, 2), nodes(1), options)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = c.Sync(t.Context(), in); !errors.Is(err, services.ErrNodeMissing) ||
			errors.Is(err, publish.ErrRetry) || !strings.Contains(err.Error(), "node-2") || c.held() != "10.0.0.1" {
			t.Fatalf("call %d: %v, slices hold %q", i+1, err, c.held())
		}
		c.show()
	}
	if log := c.requests(); log != "create "+first {
		t.Errorf("requests %q", log)
	}
	in, err := services.FromPods(service("web"), pods(1), nodes(), options)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Sync(t.Context(), in); !errors.Is(err, services.ErrNodeMissing) || c.held() != "10.0.0.1" {
		t.Errorf("no Node is known: %v, slices hold %q", err, c.held())
	}
	in = c.input(1)
	in.Retry = fmt.Errorf("soon: %w", publish.ErrRetry)
	if _, err := c.Sync(t.Context(), in); err == nil || errors.Is(err, publish.ErrRetry) {
		t.Errorf("a function of the caller returned ErrRetry: %v", err)
	}
	c.before = func(string) error { return errors.New("no answer") }
	in = c.input(1, 2)
	in.Retry = services.ErrNodeMissing
	if _, err := c.Sync(t.Context(), in); err == nil || errors.Is(err, services.ErrNodeMissing) {
		t.Errorf("a write failed, and the error is %v", err)
	}
}

// TestUnmanaged: nothing is read or written.
func TestUnmanaged(t *testing.T) {
	c := newCluster(t)
	if err := c.sync(1); err != nil {
		t.Fatal(err)
	}
	c.requests()
	svc := service("web")
	svc.Spec.Selector = nil
	in, err := services.FromPods(svc, pods(1), nil, options)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := c.Sync(t.Context(), in)
	if err != nil || len(plan.Normal) != 1 || c.requests() != "" || c.held() != "10.0.0.1" {
		t.Errorf("%v, %v, slices hold %q", err, plan, c.held())
	}
}

// TestForget: what is remembered of a Key goes, and its slices stay.
func TestForget(t *testing.T) {
	c := newCluster(t)
	if err := c.sync(1); err != nil {
		t.Fatal(err)
	}
	c.Forget(c.input().Key)
	if c.Remembered() != 0 || c.held() != "10.0.0.1" {
		t.Errorf("%d sets are remembered, slices hold %q", c.Remembered(), c.held())
	}
}

// TestAdopt: a slice that the labels do not select is read by its name until it has the labels, and
// a name that leads nowhere once.
func TestAdopt(t *testing.T) {
	c := newCluster(t)
	if err := c.sync(1); err != nil {
		t.Fatal(err)
	}
	s := c.server.Get(first)
	s.Labels = nil
	if _, err := c.server.Update(s); err != nil {
		t.Fatal(err)
	}
	c.show()
	c.Forget(c.input().Key)
	c.requests()
	for i, want := range []string{"get " + first + ", get nothing, update " + first, "", ""} {
		in := c.input(1)
		in.Options.Adopt = []string{first, "nothing"}
		if _, err := c.Sync(t.Context(), in); err != nil {
			t.Errorf("call %d: %v", i+1, err)
		}
		if have := c.requests(); have != want {
			t.Errorf("call %d: requests %q, want %q", i+1, have, want)
		}
		c.show()
	}
	if s := c.server.Get(first); s.Labels[discoveryv1.LabelServiceName] != "web" {
		t.Errorf("labels %v", s.Labels)
	}
}

// TestMistakes: functions that are missing are named, and mistakes in the Input are *field.Errors.
func TestMistakes(t *testing.T) {
	_, err := publish.New(publish.Client{})
	for _, name := range []string{"cached", "list", "get", "create", "update", "delete"} {
		if !strings.Contains(err.Error(), "client."+name+":") {
			t.Errorf("%s is not named: %v", name, err)
		}
	}
	c := newCluster(t)
	for path, in := range map[string]slicer.Input{
		"key.namespace": {Key: slicer.Key{Name: "web", ManagedBy: "me"}},
		"key.name":      {Key: slicer.Key{Namespace: "shop", ManagedBy: "me"}, Unmanaged: true},
		"options.maxEndpointsPerSlice": {
			Key:     slicer.Key{Namespace: "shop", Name: "web", ManagedBy: "me"},
			Options: slicer.Options{MaxEndpointsPerSlice: -1},
		},
	} {
		var mistake *field.Error
		if _, err := c.Sync(t.Context(), in); !errors.As(err, &mistake) || mistake.Field != path || mistake.Detail == "" {
			t.Errorf("%s: %v", path, err)
		}
	}
	failed := errors.New("no answer")
	for why, change := range map[string]func(*publish.Client){
		"the cache failed": func(c *publish.Client) {
			c.Cached = func(context.Context, string, labels.Selector) ([]*discoveryv1.EndpointSlice, error) {
				return nil, failed
			}
		},
		"garbage": func(c *publish.Client) { c.CachedVersion = func() string { return "garbage" } },
	} {
		client := c.client()
		change(&client)
		if _, err := must(publish.New(client)).Sync(t.Context(), c.input(1)); err == nil || errors.Is(err, publish.ErrRetry) ||
			why == "garbage" != strings.Contains(err.Error(), "CachedVersion") {
			t.Errorf("%s: %v", why, err)
		}
	}
}

// TestOneKey: a Key is the same by its name and by its MatchLabels, so that no write is forgotten
// between two calls. Other Keys do not wait.
func TestOneKey(t *testing.T) {
	c := newCluster(t)
	if err := c.sync(1); err != nil {
		t.Fatal(err)
	}
	key := func(edit func(*slicer.Key)) slicer.Key {
		k := c.input().Key
		edit(&k)
		return k
	}
	same := key(func(k *slicer.Key) { k.MatchLabels = map[string]string{discoveryv1.LabelServiceName: "web"} })
	if _, err := c.Remove(t.Context(), same); !errors.Is(err, publish.ErrRetry) {
		t.Error(err)
	}
	for _, other := range []slicer.Key{
		key(func(k *slicer.Key) { k.Name = "db" }), key(func(k *slicer.Key) { k.Namespace = "bank" }),
		key(func(k *slicer.Key) { k.MatchLabels = map[string]string{"example.com/of": "a"} }),
		key(func(k *slicer.Key) { k.MatchLabels = map[string]string{"example.com/of": "b"} }),
		key(func(k *slicer.Key) { k.ManagedBy = "another" }),
	} {
		if _, err := c.Remove(t.Context(), other); err != nil {
			t.Errorf("%+v: %v", other, err)
		}
	}
}

// TestRemove: a Service needs its name alone, and nothing of it is remembered once its slices are gone,
// whatever happened before. SLICEWRIGHT_CASES is how many Services come and go.
func TestRemove(t *testing.T) {
	c := newCluster(t)
	for i := range nightly.Cases(t, 300) {
		name := fmt.Sprint("web-", i)
		c.before = func(string) error {
			if i%3 == 0 {
				return errors.New("no answer")
			}
			return nil
		}
		in := c.input(1)
		in.Key.Name = name
		_, _ = c.Sync(t.Context(), in)
		c.before = never
		for range 12 {
			c.show()
			if _, err := c.Remove(t.Context(), options.Key(types.NamespacedName{Namespace: "shop", Name: name})); err == nil {
				break
			}
		}
	}
	c.show()
	c.requests()
	for i := range nightly.Cases(t, 300) {
		_, err := c.Remove(t.Context(), options.Key(types.NamespacedName{Namespace: "shop", Name: fmt.Sprint("web-", i)}))
		if err != nil || c.requests() != "" {
			t.Fatal("Remove without slices makes a request, or fails:", err)
		}
	}
	if len(c.server.List()) > 0 || c.Remembered() > 0 {
		t.Errorf("%d slices are left, and %d sets are remembered", len(c.server.List()), c.Remembered())
	}
}

// TestWorkers: calls for one Key wait for each other, and calls for another Key do not. Run it with
// -race.
func TestWorkers(t *testing.T) {
	c := newCluster(t)
	inside, blocked := make(chan bool), make(chan bool)
	busy := 0
	client := c.client()
	client.Cached = func(_ context.Context, namespace string, _ labels.Selector) ([]*discoveryv1.EndpointSlice, error) {
		if namespace == "shop" {
			if busy++; busy > 1 {
				t.Error("two calls for one Key are at work")
			}
			inside <- true
			<-blocked
			busy--
		}
		return nil, nil
	}
	syncer := must(publish.New(client))
	key := func(namespace string) slicer.Key {
		return slicer.Key{Namespace: namespace, Name: "web", ManagedBy: "me"}
	}
	var workers sync.WaitGroup
	for range 2 {
		workers.Add(1)
		go func() {
			defer workers.Done()
			if _, err := syncer.Remove(context.Background(), key("shop")); err != nil {
				t.Error(err)
			}
		}()
	}
	for range 2 {
		<-inside
		if _, err := syncer.Remove(t.Context(), key("bank")); err != nil {
			t.Error(err)
		}
		blocked <- true
	}
	workers.Wait()
	if syncer.Remembered() > 0 {
		t.Errorf("%d Keys are remembered", syncer.Remembered())
	}
}
