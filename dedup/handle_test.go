package dedup_test

import (
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// DeletedFinalStateUnknown has the fields of client-go's tombstone.
type DeletedFinalStateUnknown struct {
	Key string
	Obj any
}

// TestHandle: an index takes what an informer's handlers get, tombstones included, and what is no
// slice is a problem.
func TestHandle(t *testing.T) {
	const notSlice = "slice: Required value: give an *EndpointSlice, not "
	web := slice("web-a", "10.0.0.1")
	for _, row := range []struct {
		why          string
		old, changed any
		left         int
		problem      string
	}{
		{"added", nil, slice("web-b", "10.0.0.2"), 2, ""},
		{"updated", web, slice("web-a", "10.0.0.1", "10.0.0.3"), 2, ""},
		{"deleted", web, nil, 0, ""},
		{"a tombstone", DeletedFinalStateUnknown{"default/web-a", web}, nil, 0, ""},
		{"a tombstone without its object", DeletedFinalStateUnknown{"default/web-a", nil}, nil, 0, ""},
		{"a pointer to a tombstone", &DeletedFinalStateUnknown{"default/web-a", nil}, nil, 0, ""},
		{"a tombstone of a slice that is not there", DeletedFinalStateUnknown{"default/other", nil}, nil, 1, ""},
		{"nothing", nil, nil, 1, ""},
		{"another object", nil, &corev1.Pod{}, 1, notSlice + "*v1.Pod"},
		{"another object is deleted", &corev1.Pod{}, nil, 1, notSlice + "*v1.Pod"},
		{"a tombstone without a namespace", DeletedFinalStateUnknown{"web-a", nil}, nil, 1, notSlice + `a tombstone with Key "web-a": the Key must be namespace/name`},
		{"a tombstone with an empty name", DeletedFinalStateUnknown{"default/", nil}, nil, 1, notSlice + `a tombstone with Key "default/": the Key must be namespace/name`},
		{"a tombstone of something else", DeletedFinalStateUnknown{"default/web-a/x", nil}, nil, 1, notSlice + `a tombstone with Key "default/web-a/x": the Key must be namespace/name`},
		{"a struct with a key of another type", struct{ Key, Obj int }{}, nil, 1, notSlice + "struct { Key int; Obj int }"},
		{"a nil slice is nil", nil, (*discoveryv1.EndpointSlice)(nil), 1, ""},
		{"a nil slice is deleted", (*discoveryv1.EndpointSlice)(nil), nil, 1, ""},
		{"a handler of a typed informer, deleted", web, (*discoveryv1.EndpointSlice)(nil), 0, ""},
		{"a handler of a typed informer, added", (*discoveryv1.EndpointSlice)(nil), slice("web-b", "10.0.0.2"), 2, ""},
		{"a nil tombstone in another struct is neither", struct{ *DeletedFinalStateUnknown }{}, nil, 1, notSlice + "struct { *dedup_test.DeletedFinalStateUnknown }"},
		{"text is added", nil, "default/web-a", 1, notSlice + "string"},
		{"text", "default/web-a", nil, 1, notSlice + "string"},
	} {
		ix := newIndex(dedup.Options{})
		ix.Handle(nil, web)
		ix.Flush()
		ix.Handle(row.old, row.changed)
		_, problems := ix.Flush()
		if length(ix.View()) != row.left || problems.String() != row.problem {
			t.Errorf("%s: %d endpoints are left, problems %v", row.why, length(ix.View()), problems)
		}
		shown := len(ix.View().Warnings())
		// of what has no name, so that nothing can take it back
		if ix.Flush(); shown != len(problems) || len(ix.View().Warnings()) > 0 {
			t.Errorf("%s: the view has %d problems, and after the next flush %v", row.why, shown, ix.View().Warnings())
		}
	}
}

// length is how many endpoints a view has behind webHTTP.
func length(v dedup.View) int { return len(slices.Collect(v.Endpoints(webHTTP))) }

// TestReadersAndWriter: readers of an Index, of views and of deltas need no lock, whatever the writer
// does (run with -race).
func TestReadersAndWriter(t *testing.T) {
	nightly.Slow(t)
	list := manySlices(1000)
	ix := newIndex(dedup.Options{})
	ix.Replace(list)
	added := flushed(ix)
	var changed atomic.Pointer[[]dedup.Delta]
	changed.Store(&added)
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Add(1)
		go func() {
			defer readers.Done()
			for {
				select {
				case <-done:
					return
				default:
				}
				text := printView(ix.View())
				for _, d := range slices.Concat(added, *changed.Load()) {
					text += d.String()
				}
				if text == "" {
					t.Error("nothing to read")
					return
				}
			}
		}()
	}
	for i := range 200 {
		s := list[i%len(list)].DeepCopy()
		s.Endpoints[i%50].Conditions.Ready = ptr(i%3 == 0)
		s.Endpoints[i%50+1] = list[(i+1)%len(list)].Endpoints[0]
		ix.Upsert(s)
		deltas := flushed(ix)
		changed.Store(&deltas)
	}
	close(done)
	readers.Wait()
}

func flushed(ix *dedup.Index) []dedup.Delta { return portsOf(ix.Flush()) }

// portsOf returns the deltas of a Flush.
func portsOf(c dedup.Changes, _ dedup.Notices) []dedup.Delta { return c.Ports }

// TestZeroValues: views and indexes that never saw a slice, and a nil Index, answer everything.
func TestZeroValues(t *testing.T) {
	var ix dedup.Index
	for name, v := range map[string]dedup.View{
		"zero": {}, "merged": dedup.Merge(nil, dedup.Options{}), "index": ix.View(), "nil index": (*dedup.Index)(nil).View(),
	} {
		if got := printView(v); got != "" || v.Has(webHTTP.Service) {
			t.Errorf("%s: %s", name, got)
		}
	}
	ix.Delete(types.NamespacedName{Namespace: "default", Name: "web-a"})
	ix.Replace(nil)
	if c, w := ix.Flush(); c.Services != nil || c.Ports != nil || w != nil {
		t.Errorf("got %v, %v", c, w)
	}
	for range (dedup.Delta{}).Changed() {
		t.Error("the zero Delta has a change")
	}
	if n := len(slices.Collect((dedup.Delta{}).Added())) + len(slices.Collect((dedup.Delta{}).Removed())); n != 0 {
		t.Errorf("the zero Delta has %d endpoints", n)
	}
}

// first reads one element, and breaks off.
func first[T any](t *testing.T, what string, seq iter.Seq[T]) (e T) {
	n := 0
	for e = range seq {
		n++
		break
	}
	if n != 1 {
		t.Errorf("%s: nothing to read", what)
	}
	return e
}

// TestReadersMayStop: every reader of a view, a delta and a cache stops when the caller breaks off.
func TestReadersMayStop(t *testing.T) {
	a, b, c := slice("a", "10.0.0.1", "10.0.0.2"), slice("b", "10.0.0.1", "10.0.0.2"), slice("c", "10.0.0.1",
		"10.0.0.2")
	b.Labels[discoveryv1.LabelServiceName] = "other"
	c.Endpoints[0].Zone, c.Endpoints[1].Zone = ptr("z"), ptr("z")
	c.Ports = append(c.Ports, discoveryv1.EndpointPort{Name: ptr("more"), Port: ptr(int32(1))})
	ix := newIndex(dedup.Options{})
	ix.Replace([]*discoveryv1.EndpointSlice{a, b, c})
	first(t, "added", flushed(ix)[0].Added())
	v := ix.View()
	first(t, "services", v.Services())
	first(t, "ports", v.Ports(webHTTP.Service))
	first(t, "endpoints", v.Endpoints(webHTTP))
	first(t, "conflicts", v.Conflicts())
	first(t, "addresses", v.Addresses(webHTTP.Service))
	first(t, "targets", v.Targets(webHTTP.Service))
	for range v.All() {
		break
	}
	ix.Replace([]*discoveryv1.EndpointSlice{b, c})
	for range flushed(ix)[0].Changed() {
		break
	}
	ix.Replace(nil)
	first(t, "removed", flushed(ix)[0].Removed())
	cache := dedup.NewCache[string, string, string](nil)
	cache.Put("g", a, keyed([]string{"1", "2", "3"}, strings.Clone))
	for range cache.All("g") {
		break
	}
}
