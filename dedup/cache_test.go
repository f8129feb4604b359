package dedup_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/dedup"
)

// kept is an entry of a reader's own type.
type kept struct {
	slice    string
	endpoint *discoveryv1.Endpoint
}

func rankOfKept(k kept) dedup.Rank { return dedup.RankOf(k.endpoint) }

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
			cache.Put(g, dedup.SourceOf(s), keptOf(s))
		},
		"put again": func(t *rapid.T) {
			g, name := group(), rapid.SampledFrom(sliceNames).Draw(t, "slice")
			if s := truth[g][name]; s != nil {
				s.ResourceVersion = rapid.SampledFrom(versions).Draw(t, "version")
				cache.Put(g, dedup.SourceOf(s), keptOf(s))
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
			g, name := group(), rapid.SampledFrom(sliceNames).Draw(t, "slice")
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
	s := drawSlice(t, rapid.SampledFrom(sliceNames).Draw(t, "slice"))
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
	rank func(kept) dedup.Rank) {
	var list []*discoveryv1.EndpointSlice
	for _, name := range sliceNames {
		if s := truth[name]; s != nil {
			list = append(list, s)
		}
	}
	rebuilt := dedup.NewCache[string, string](rank)
	for _, s := range rapid.Permutation(list).Draw(t, "order") {
		rebuilt.Put(g, dedup.SourceOf(s), keptOf(s))
	}
	got, want := printCache(cache, g), printCache(rebuilt, g)
	if got != want {
		t.Fatalf("D1: the cache shows\n%s\nrebuilt it shows\n%s", got, want)
	}
	if cache.Has(g) != (len(list) > 0) || cache.Len(g) != strings.Count(got, "\n") {
		t.Fatalf("Has %v, Len %d with %d slices and\n%s", cache.Has(g), cache.Len(g), len(list), got)
	}
	if rank == nil {
		return
	}
	found, _ := dedup.OnePort(list, dedup.PortOptions{})
	if len(found) != cache.Len(g) {
		t.Fatalf("OnePort finds %d, the cache shows\n%s", len(found), got)
	}
	for _, f := range found {
		k, ok := cache.Get(g, f.Address)
		// Where one slice has an address twice and D2 does not tell them apart, each function takes
		// an order of its own.
		if !ok || k.slice != f.Slice.Name || dedup.RankOf(k.endpoint).State != f.State() {
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
	c := dedup.NewCache[string, string](dedup.RankOf)
	for _, empty := range []*dedup.Cache[string, string, *discoveryv1.Endpoint]{nil, c} {
		empty.Delete("web", types.NamespacedName{Name: "web-a"})
		if _, found := empty.Get("web", "x"); found || empty.Has("web") || empty.Len("web") != 0 {
			t.Error("an empty cache has something")
		}
		for range empty.All("web") {
			t.Error("an empty cache shows something")
		}
	}
	c.Put("web", dedup.SourceOf(nil), nil)
	c.Put("web", dedup.SourceOf(slice("web-a")),
		keyed([]*discoveryv1.Endpoint{nil}, func(*discoveryv1.Endpoint) string { return "x" }))
	if e, found := c.Get("web", "x"); !found || e != nil || !c.Has("web") || c.Len("web") != 1 {
		t.Errorf("a nil entry: %v, %v", e, found)
	}
	if _, found := c.Get("web", "y"); found {
		t.Error("another key is found")
	}
	c.Delete("web", types.NamespacedName{Name: "web-b"})
	c.Delete("web", types.NamespacedName{Namespace: "default", Name: "web-a"})
	if !c.Has("web") || c.Len("web") != 0 {
		t.Error("a source without entries does not make its group known")
	}
	var zero dedup.Cache[string, string, string]
	zero.Delete("g", types.NamespacedName{})
	zero.Update("g", func(_, e string) string { return e })
	for _, version := range []string{"8", "9", "7"} { // the newest wins
		s := slice("web-" + version)
		s.ResourceVersion = version
		zero.Put("g", dedup.SourceOf(s), keyed([]string{version}, func(string) string { return "key" }))
	}
	if e, _ := zero.Get("g", "key"); e != "9" || zero.Len("g") != 1 || !zero.Has("g") || zero.Has("h") {
		t.Errorf("the zero Cache has %q", e)
	}
	if (dedup.RankOf(nil) != dedup.Rank{}) {
		t.Error("the rank of nil is not zero")
	}
}

// TestCacheOrder: keys are in the order of the sources' names, then of the source's own sequence,
// whoever came first (D4).
func TestCacheOrder(t *testing.T) {
	c := dedup.NewCache[string, string, string](nil)
	for _, name := range []string{"b", "c", "a"} {
		c.Put("g", dedup.Source{Slice: types.NamespacedName{Name: name}},
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

// TestCacheCosts: a Put among many sources makes as few allocations as one among few, even where
// all hold one key.
func TestCacheCosts(t *testing.T) {
	var allocs [2]float64
	for i, k := range []int{16, 512} {
		c := dedup.NewCache[string, string](dedup.RankOf)
		list := sameAddress(k, false)
		put := func(s *discoveryv1.EndpointSlice) {
			c.Put("web", dedup.SourceOf(s), func(yield func(string, *discoveryv1.Endpoint) bool) {
				yield("10.0.0.1", &s.Endpoints[0])
			})
		}
		for _, s := range list {
			put(s)
		}
		turn := 0
		allocs[i] = testing.AllocsPerRun(100, func() {
			turn++
			s := list[turn*7919%k]
			s.ResourceVersion = fmt.Sprint(k + turn)
			put(s)
		})
	}
	if allocs[1] > 3*allocs[0] {
		t.Errorf("%v allocations for a Put among 16 sources, %v among 512", allocs[0], allocs[1])
	}
}
