package publish_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
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
	_, err := c.Pods(c.Context(), service("web"), pods(numbers...), nil)
	return err
}

// TestNothingToDo: a sync without changes makes no request and remembers nothing.
func TestNothingToDo(t *testing.T) {
	c := newCluster(t, options)
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
		c := newCluster(t, options)
		c.upTo = upTo
		if err := c.sync(1); err != nil {
			t.Fatal(err)
		}
		c.requests()
		err := c.sync(1, 2)
		if !errors.Is(err, publish.ErrWait) || errors.As(err, new(*field.Error)) ||
			!strings.Contains(err.Error(), "shop/"+first) || c.requests() != "" {
			t.Errorf("upTo %q: %v", upTo, err)
		}
		c.show()
		if err := c.sync(1, 2); err != nil || c.held() != "10.0.0.1 10.0.0.2" {
			t.Errorf("upTo %q: %v, slices hold %s", upTo, err, c.held())
		}
		if err := c.sync(1); !errors.Is(err, publish.ErrWait) {
			t.Errorf("upTo %q: %v, and the cache does not show the update", upTo, err)
		}
		c.show()
		if _, err := c.Remove(t.Context(), service("web")); err != nil {
			t.Fatal(err)
		}
		if err := c.sync(1); !errors.Is(err, publish.ErrWait) {
			t.Errorf("upTo %q: %v, and the cache does not show the delete", upTo, err)
		}
	}
}

// TestLostCreate: a create without answer that was not executed delays ten syncs; the next one
// lists live. Then the cache has to reach the list.
func TestLostCreate(t *testing.T) {
	c := newCluster(t, options)
	c.before = func(string) error { return errors.New("connection reset by peer") }
	if err := c.sync(1); err == nil || errors.Is(err, publish.ErrWait) {
		t.Fatal(err)
	}
	c.before = never
	c.requests()
	for i := range 9 {
		c.show()
		if err := c.sync(1); !errors.Is(err, publish.ErrWait) || c.requests() != "" {
			t.Fatalf("call %d: %v", i+2, err)
		}
	}
	if err := c.sync(1); err != nil || c.requests() != "list kubernetes.io/service-name=web, create "+first {
		t.Errorf("%v, slices hold %s", err, c.held())
	}
	if err := c.sync(1); !errors.Is(err, publish.ErrWait) {
		t.Errorf("the cache has not reached the list: %v", err)
	}
	c.show()
	if err := c.sync(1); err != nil || c.requests() != "" || c.Remembered() != 0 {
		t.Errorf("%v, %d sets are remembered", err, c.Remembered())
	}
}

// TestDeadWatch: while the cache never moves, one sync in eleven lists live.
func TestDeadWatch(t *testing.T) {
	c := newCluster(t, options)
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
	c := newCluster(t, options)
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
		if err := c.sync(1, 2); !apierrors.IsConflict(err) || errors.Is(err, publish.ErrWait) ||
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
		w := newCluster(t, options)
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

// TestNodeNotKnown: all else is published, and the error asks for another call, however often. If
// no Node is known, nothing is.
func TestNodeNotKnown(t *testing.T) {
	c := newCluster(t, options)
	for i := range 25 {
		_, err := c.Pods(t.Context(), service("web"), pods(1, 2), nodes(1))
		if !errors.Is(err, publish.ErrWait) || !strings.Contains(err.Error(), "node-2") || c.held() != "10.0.0.1" {
			t.Fatalf("call %d: %v, slices hold %q", i+1, err, c.held())
		}
		c.show()
	}
	if log := c.requests(); log != "create "+first {
		t.Errorf("requests %q", log)
	}
	_, err := c.Pods(t.Context(), service("web"), pods(2, 3), nodes())
	if !errors.Is(err, publish.ErrWait) || errors.As(err, new(*field.Error)) || c.held() != "10.0.0.1" {
		t.Errorf("no Node is known: %v, slices hold %q", err, c.held())
	}
}

// TestKindsOfError: a mistake is a *field.Error and no ErrWait, an error of the caller's functions
// is neither, and a Skip that asks for a retry is returned after all else was written.
func TestKindsOfError(t *testing.T) {
	failed := errors.New("no answer")
	c := newCluster(t, services.Options{ManagedBy: "me", KeyLabel: "example.com/of",
		Addresses: func(pod *corev1.Pod) ([]string, error) {
			if pod.Name == "web-2" {
				return nil, failed
			}
			return []string{"10.1.0.1"}, nil
		}})
	if err := c.sync(1, 2); !errors.Is(err, failed) || errors.Is(err, publish.ErrWait) || c.held() != "10.1.0.1" {
		t.Errorf("%v, slices hold %q", err, c.held())
	}
	c = newCluster(t, options)
	svc := service("web")
	svc.Spec.Ports = append(svc.Spec.Ports, svc.Spec.Ports[0])
	var mistake *field.Error
	if _, err := c.Pods(t.Context(), svc, nil, nil); !errors.As(err, &mistake) ||
		mistake.Field != "service.spec.ports[1].name" || errors.Is(err, publish.ErrWait) {
		t.Errorf("%v", err)
	}
	access := c.slices()
	access.Cached = func(string, labels.Selector) ([]*discoveryv1.EndpointSlice, error) { return nil, failed }
	if _, err := publish.New(access, options).Pods(t.Context(), service("web"), nil, nil); err != failed {
		t.Errorf("%v", err)
	}
}

// TestMistakes: a nil Syncer, functions that are missing, a garbled version and a set without a
// name are errors that say what to do.
func TestMistakes(t *testing.T) {
	c := newCluster(t, options)
	plan := func([]*discoveryv1.EndpointSlice) (slicer.Plan, error) { return slicer.Plan{}, nil }
	set := slicer.Set{Namespace: "shop", Name: "web", ManagedBy: "me"}
	with := func(change func(*publish.Slices)) *publish.Syncer {
		access := c.slices()
		change(&access)
		return publish.New(access, options)
	}
	for path, call := range map[string]func() error{
		"syncer": func() error { _, err := (*publish.Syncer)(nil).Pods(t.Context(), service("web"), nil, nil); return err },
		"syncer ": func() error {
			_, err := (*publish.Syncer)(nil).With(options).Selection(t.Context(), services.Selection{}, nil, nil)
			return err
		},
		"syncer  ": func() error { _, err := new(publish.Syncer).Sync(t.Context(), set, plan); return err },
		"plan":     func() error { _, err := c.Sync(t.Context(), set, nil); return err },
		"set":      func() error { _, err := c.Sync(t.Context(), slicer.Set{}, plan); return err },
		"set ": func() error {
			_, err := c.Sync(t.Context(), slicer.Set{Namespace: "shop", ManagedBy: "me"}, plan)
			return err
		},
		"set  ": func() error {
			_, err := c.Sync(t.Context(), slicer.Set{Name: "web", ManagedBy: "me"}, plan)
			return err
		},
		"set   ": func() error {
			_, err := c.Sync(t.Context(), slicer.Set{Namespace: "shop", Name: "web"}, plan)
			return err
		},
		"service": func() error { _, err := c.Backends(t.Context(), nil, nil); return err },
		"slices.cached": func() error {
			_, err := with(func(s *publish.Slices) { s.Cached = nil }).Sync(t.Context(), set, plan)
			return err
		},
		"slices.list": func() error {
			_, err := with(func(s *publish.Slices) { s.List = nil }).Sync(t.Context(), set, plan)
			return err
		},
		"slices.get": func() error {
			_, err := with(func(s *publish.Slices) { s.Get = nil }).Sync(t.Context(), set, plan)
			return err
		},
		"slices.writer": func() error {
			_, err := with(func(s *publish.Slices) { s.Writer = nil }).Sync(t.Context(), set, plan)
			return err
		},
		"slices.upTo": func() error {
			_, err := with(func(s *publish.Slices) {
				s.UpTo = func() string { return "garbage" }
			}).Sync(t.Context(), set, plan)
			return err
		},
		"options.managedBy": func() error {
			_, err := publish.New(c.slices(), services.Options{}).Pods(t.Context(), service("web"), nil, nil)
			return err
		},
		"service.metadata.namespace": func() error {
			_, err := c.Remove(t.Context(), &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: "web"}})
			return err
		},
	} {
		var mistake *field.Error
		if err := call(); !errors.As(err, &mistake) || mistake.Field != strings.TrimSpace(path) ||
			mistake.Detail == "" {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := c.sync(1); err != nil {
		t.Fatal(err)
	}
	c.show()
	reading := with(func(s *publish.Slices) {
		s.Writer = func(context.Context, string) publish.Writer { return publish.Writer{} }
	})
	if _, err := reading.Remove(t.Context(), service("web")); err == nil ||
		!strings.Contains(err.Error(), "Writer.Delete is nil") {
		t.Errorf("without functions that write: %v", err)
	}
	if _, err := with(func(s *publish.Slices) { s.UpTo = nil }).Sync(t.Context(), set, plan); err != nil {
		t.Errorf("without UpTo: %v", err)
	}
}

// TestOneSet: a set is the same by its name and by its Key, so that no write is forgotten between
// two calls.
func TestOneSet(t *testing.T) {
	c := newCluster(t, options)
	if err := c.sync(1); err != nil {
		t.Fatal(err)
	}
	unplanned := func([]*discoveryv1.EndpointSlice) (slicer.Plan, error) {
		t.Error("a plan is made from a cache that is late")
		return slicer.Plan{}, nil
	}
	same := slicer.Set{Namespace: "shop", Name: "web", ManagedBy: options.ManagedBy,
		Key: map[string]string{discoveryv1.LabelServiceName: "web"}}
	if _, err := c.Sync(t.Context(), same, unplanned); !errors.Is(err, publish.ErrWait) {
		t.Error(err)
	}
	if _, err := c.With(services.Options{ManagedBy: options.ManagedBy, SkipUnresolved: true}).Remove(t.Context(),
		service("web")); !errors.Is(err, publish.ErrWait) {
		t.Errorf("with other options: %v", err)
	}
	for _, other := range []slicer.Set{
		{Namespace: "shop", Name: "db", ManagedBy: options.ManagedBy}, {Namespace: "bank", Name: "web", ManagedBy: options.ManagedBy},
		{Namespace: "shop", Name: "web", ManagedBy: options.ManagedBy, Key: map[string]string{"a": "1", "b": "2"}},
		{Namespace: "shop", Name: "web", ManagedBy: "another"},
	} {
		if _, err := c.Sync(t.Context(), other, func([]*discoveryv1.EndpointSlice) (slicer.Plan, error) {
			return slicer.Plan{}, nil
		}); err != nil {
			t.Errorf("%+v: %v", other, err)
		}
	}
}

// TestKeysOfOneLabel: sets that differ only in the value of a label of their own are different.
func TestKeysOfOneLabel(t *testing.T) {
	c := newCluster(t, options)
	for _, value := range []string{"a", "b"} {
		set := slicer.Set{Namespace: "shop", Name: "web", ManagedBy: options.ManagedBy,
			Key: map[string]string{"example.com/of": value}}
		if _, err := c.Sync(t.Context(), set, func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
			return slicer.Compute(slicer.Input{Set: set, Groups: []slicer.Group{{
				AddressType: discoveryv1.AddressTypeIPv4,
				Endpoints:   []discoveryv1.Endpoint{{Addresses: []string{"10.0.0.1"}}}}}}, existing)
		}); err != nil {
			t.Errorf("%s: %v", value, err)
		}
	}
}

// TestOtherSet: a plan of another set than the one that is named is an error, and nothing is
// written.
func TestOtherSet(t *testing.T) {
	for _, set := range []slicer.Set{
		{Namespace: "shop", Name: "db", ManagedBy: options.ManagedBy}, {Namespace: "bank", Name: "web", ManagedBy: options.ManagedBy},
		{Namespace: "shop", Name: "web", ManagedBy: options.ManagedBy, Key: map[string]string{"example.com/of": "web"}},
		{Namespace: "shop", Name: "web", ManagedBy: "another"},
	} {
		c := newCluster(t, options)
		_, err := c.Sync(t.Context(), set, func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
			return services.Plan(service("web"), pods(1), nil, existing, options)
		})
		var mistake *field.Error
		if !errors.As(err, &mistake) || mistake.Field != "set" || c.requests() != "" {
			t.Errorf("%+v: %v", set, err)
		}
	}
}

// TestNotManaged: for a Service that is not managed, Pods and Backends remove what the same
// ManagedBy published.
func TestNotManaged(t *testing.T) {
	for name, change := range map[string]func(*corev1.ServiceSpec){
		"ExternalName": func(s *corev1.ServiceSpec) { s.Type, s.ExternalName = corev1.ServiceTypeExternalName, "example.com" },
		"no selector":  func(s *corev1.ServiceSpec) { s.Selector = nil },
	} {
		c := newCluster(t, options)
		if err := c.sync(1); err != nil {
			t.Fatal(err)
		}
		c.show()
		svc := service("web")
		change(&svc.Spec)
		if _, err := c.Pods(t.Context(), svc, pods(1), nil); err != nil || len(c.server.List()) != 0 {
			t.Errorf("%s: %v, %d slices are left", name, err, len(c.server.List()))
		}
	}
	c := newCluster(t, options)
	if _, err := c.Backends(t.Context(), service("web"),
		[]services.Backend{{Name: "vm", Addresses: []string{"10.0.0.9"}}}); err != nil || c.held() != "10.0.0.9" {
		t.Fatalf("%v, slices hold %q", err, c.held())
	}
	c.show()
	svc := service("web")
	svc.Spec.Selector = nil
	if _, err := c.Pods(t.Context(), svc, nil, nil); err != nil || c.held() != "" {
		t.Errorf("%v, slices hold %q", err, c.held())
	}
}

// TestRemove: a Service that is gone needs its name alone, and nothing of it is remembered once its
// slices are gone, whatever happened before. SLICEWRIGHT_CASES is how many Services come and go.
func TestRemove(t *testing.T) {
	c := newCluster(t, options)
	for i := range nightly.Cases(t, 300) {
		name := fmt.Sprint("web-", i)
		c.before = func(string) error {
			if i%3 == 0 {
				return errors.New("no answer")
			}
			return nil
		}
		_, _ = c.Pods(t.Context(), service(name), pods(1), nil)
		c.before = never
		for range 12 {
			c.show()
			if _, err := c.Remove(t.Context(),
				&corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}}); err == nil {
				break
			}
		}
	}
	c.show()
	for i := range nightly.Cases(t, 300) {
		_, err := c.Remove(t.Context(), &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop",
			Name: fmt.Sprint("web-", i)}})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(c.server.List()) > 0 || c.Remembered() > 0 {
		t.Errorf("%d slices are left, and %d sets are remembered", len(c.server.List()), c.Remembered())
	}
}

// TestWorkers: calls for one Service wait for each other, and calls for another Service do not. Run
// it with -race.
func TestWorkers(t *testing.T) {
	c := newCluster(t, options)
	inside, blocked := make(chan bool), make(chan bool)
	set := slicer.Set{Namespace: "shop", Name: "web", ManagedBy: "me"}
	busy := 0
	var workers sync.WaitGroup
	for range 2 {
		workers.Add(1)
		go func() {
			defer workers.Done()
			_, err := c.Sync(context.Background(), set, func([]*discoveryv1.EndpointSlice) (slicer.Plan, error) {
				if busy++; busy > 1 {
					t.Error("two calls for one Service are at work")
				}
				inside <- true
				<-blocked
				busy--
				return slicer.Plan{}, nil
			})
			if err != nil {
				t.Error(err)
			}
		}()
	}
	for range 2 {
		<-inside
		other := slicer.Set{Namespace: "shop", Name: "db", ManagedBy: "me"}
		if _, err := c.Sync(t.Context(), other, func([]*discoveryv1.EndpointSlice) (slicer.Plan, error) {
			return slicer.Plan{}, nil
		}); err != nil {
			t.Error(err)
		}
		blocked <- true
	}
	workers.Wait()
	if c.Remembered() > 0 {
		t.Errorf("%d sets are remembered", c.Remembered())
	}
}
