package dedup_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/test/gen"
)

// kept is an entry of a reader's own type.
type kept struct {
	slice    string
	endpoint *discoveryv1.Endpoint
}

func rankOfKept(k kept) (conditions.State, *corev1.ObjectReference) { return rankOf(k.endpoint) }

func rankOf(e *discoveryv1.Endpoint) (conditions.State, *corev1.ObjectReference) {
	if e == nil {
		return conditions.State{}, nil
	}
	return conditions.Of(e.Conditions), e.TargetRef
}

// keyed yields the elements of a list with their keys.
func keyed[K comparable, E any](list []E, key func(E) K) iter.Seq2[K, E] {
	return func(yield func(K, E) bool) {
		for _, e := range list {
			if !yield(key(e), e) {
				return
			}
		}
	}
}

// keptOf yields a slice's endpoints by their first address.
func keptOf(s *discoveryv1.EndpointSlice) func(yield func(string, kept) bool) {
	var list []kept
	for i := range s.Endpoints {
		if len(s.Endpoints[i].Addresses) > 0 {
			list = append(list, kept{s.Name, &s.Endpoints[i]})
		}
	}
	return keyed(list, func(k kept) string { return k.endpoint.Addresses[0] })
}

// TestCacheIsRebuild puts, renews and deletes slices in any order, in two groups: what a cache
// shows is what a new cache of the slices that there are shows, whatever their order, and it is
// what OnePort finds (D1, D2, D4). Nothing is left of what is gone (D6).
func TestCacheIsRebuild(t *testing.T) { rapid.Check(t, cacheIsRebuild) }

func cacheIsRebuild(t *rapid.T) {
	rank := rankOfKept
	if rapid.Bool().Draw(t, "newest wins") {
		rank = nil
	}
	cache := dedup.NewCache[string, string](rank)
	truth := map[string]map[string]*discoveryv1.EndpointSlice{"a": {}, "b": {}}
	group := func() string { return rapid.SampledFrom([]string{"a", "a", "b"}).Draw(t, "group") }
	t.Repeat(map[string]func(*rapid.T){
		"put": func(t *rapid.T) {
			g, s := group(), drawCached(t)
			truth[g][s.Name] = s
			cache.Put(g, s, keptOf(s))
		},
		"put again": func(t *rapid.T) {
			g, name := group(), rapid.SampledFrom(gen.SliceNames).Draw(t, "slice")
			if s := truth[g][name]; s != nil {
				s.ResourceVersion = rapid.SampledFrom(gen.Versions).Draw(t, "version")
				cache.Put(g, s, keptOf(s))
			}
		},
		"update": func(t *rapid.T) { // as a Put of every slice of the group would
			g, address := group(), rapid.SampledFrom([]string{"10.0.0.1", "10.0.0.2"}).Draw(t, "address")
			ready, now := rapid.Bool().Draw(t, "ready"), map[*discoveryv1.Endpoint]*discoveryv1.Endpoint{}
			for name, s := range truth[g] {
				changed := s.DeepCopy()
				for i := range changed.Endpoints {
					if changed.Endpoints[i].Addresses[0] == address {
						changed.Endpoints[i].Conditions.Ready = &ready
					}
					now[&s.Endpoints[i]] = &changed.Endpoints[i]
				}
				truth[g][name] = changed
			}
			cache.Update(g, func(key string, k kept) kept { return kept{k.slice, now[k.endpoint]} })
		},
		"delete": func(t *rapid.T) {
			g, name := group(), rapid.SampledFrom(gen.SliceNames).Draw(t, "slice")
			delete(truth[g], name)
			cache.Delete(g, types.NamespacedName{Namespace: "ns", Name: name})
		},
		"": func(t *rapid.T) {
			for g, slices := range truth {
				checkCache(t, cache, g, slices, rank)
			}
		},
	})
	for g, slices := range truth {
		for name := range slices {
			cache.Delete(g, types.NamespacedName{Namespace: "ns", Name: name})
		}
	}
	if n := dedup.CacheSize(cache); n != 0 {
		t.Fatalf("D6: %d groups after the last delete", n)
	}
}

func drawCached(t *rapid.T) *discoveryv1.EndpointSlice {
	s := gen.Slice(t, rapid.SampledFrom(gen.SliceNames).Draw(t, "slice"))
	s.AddressType, s.Ports = discoveryv1.AddressTypeIPv4, []discoveryv1.EndpointPort{{Port: ptr(int32(80))}}
	s.Labels = nil // one Service, which nobody names
	for i := range s.Endpoints {
		s.Endpoints[i].Addresses = []string{rapid.SampledFrom([]string{"10.0.0.1", "10.0.0.2", "10.0.0.3"}).Draw(t,
			"address")}
	}
	return s
}

func checkCache(t *rapid.T, cache *dedup.Cache[string, string, kept], g string,
	truth map[string]*discoveryv1.EndpointSlice,
	rank func(kept) (conditions.State, *corev1.ObjectReference)) {
	var list []*discoveryv1.EndpointSlice
	for _, name := range gen.SliceNames {
		if s := truth[name]; s != nil {
			list = append(list, s)
		}
	}
	rebuilt := dedup.NewCache[string, string](rank)
	for _, s := range rapid.Permutation(list).Draw(t, "order") {
		rebuilt.Put(g, s, keptOf(s))
	}
	got, want := printCache(cache, g), printCache(rebuilt, g)
	if got != want {
		t.Fatalf("D1: the cache shows\n%s\nrebuilt it shows\n%s", got, want)
	}
	if cache.Has(g) != (len(list) > 0) {
		t.Fatalf("Has %v with %d slices and\n%s", cache.Has(g), len(list), got)
	}
	if rank == nil {
		return
	}
	found, _ := dedup.OnePort(list, "", "", dedup.Options{})
	if len(found) != strings.Count(got, "\n") {
		t.Fatalf("OnePort finds %d, the cache shows\n%s", len(found), got)
	}
	for _, f := range found {
		k, ok := cache.Get(g, f.Host())
		// Where one slice has an address twice and D2 does not tell them apart, each function takes
		// an order of its own.
		if !ok || k.slice != f.Slice || conditions.Of(k.endpoint.Conditions) != f.Conditions {
			t.Fatalf("D2: OnePort finds %+v, the cache has %+v", f, k)
		}
	}
}

func printCache(c *dedup.Cache[string, string, kept], g string) string {
	text := ""
	for key, k := range c.All(g) {
		text += fmt.Sprintln(key, k.slice, k.endpoint)
		if again, ok := c.Get(g, key); !ok || again != k {
			text += "Get returns another\n"
		}
	}
	return text
}

// TestCacheTakesNil: a nil and an empty cache, nil sequences and nil objects have answers (D8).
func TestCacheTakesNil(t *testing.T) {
	c := dedup.NewCache[string, string](rankOf)
	for _, empty := range []*dedup.Cache[string, string, *discoveryv1.Endpoint]{nil, c} {
		empty.Delete("web", types.NamespacedName{Name: "web-a"})
		if _, found := empty.Get("web", "x"); found || empty.Has("web") {
			t.Error("an empty cache has something")
		}
		for range empty.All("web") {
			t.Error("an empty cache shows something")
		}
	}
	c.Put("web", nil, nil)
	c.Put("web", slice("web-a"),
		keyed([]*discoveryv1.Endpoint{nil}, func(*discoveryv1.Endpoint) string { return "x" }))
	if e, found := c.Get("web", "x"); !found || e != nil || !c.Has("web") {
		t.Errorf("a nil entry: %v, %v", e, found)
	}
	if _, found := c.Get("web", "y"); found {
		t.Error("another key is found")
	}
	c.Delete("web", types.NamespacedName{Name: "web-b"})
	c.Delete("web", types.NamespacedName{Namespace: "default", Name: "web-a"})
	if c.Put("web", slice("web-c"), nil); !c.Has("web") {
		t.Error("a source without entries does not make its group known")
	}
	var zero dedup.Cache[string, string, string]
	zero.Delete("g", types.NamespacedName{})
	zero.Update("g", func(_, e string) string { return e })
	for _, version := range []string{"8", "9", "7"} { // the newest wins
		s := slice("web-" + version)
		s.ResourceVersion = version
		zero.Put("g", s, keyed([]string{version}, func(string) string { return "key" }))
	}
	if e, _ := zero.Get("g", "key"); e != "9" || !zero.Has("g") || zero.Has("h") {
		t.Errorf("the zero Cache has %q", e)
	}
	var none *dedup.Cache[string, string, string]
	none.Delete("g", types.NamespacedName{})
	none.Update("g", func(_, e string) string { return e })
	if _, found := none.Get("g", "key"); found || none.Has("g") {
		t.Error("a nil Cache has something")
	}
}

// TestCacheOrder: keys are in the order of the sources' names, then of the source's own sequence,
// whoever came first (D4).
func TestCacheOrder(t *testing.T) {
	c := dedup.NewCache[string, string, string](nil)
	for _, name := range []string{"b", "c", "a"} {
		c.Put("g", slice(name),
			keyed([]string{name + "2", name + "1"}, strings.Clone))
	}
	var got []string
	for k := range c.All("g") {
		got = append(got, k)
	}
	if want := []string{"a2", "a1", "b2", "b1", "c2", "c1"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
