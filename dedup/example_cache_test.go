package dedup_test

import (
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
)

// backend is what a reader of its own makes of an endpoint.
type backend struct {
	address, node string
	rank          dedup.Rank
}

// backendsOf makes the backends of a slice, by address.
func backendsOf(s *discoveryv1.EndpointSlice) func(yield func(string, backend) bool) {
	list := make([]backend, len(s.Endpoints))
	for i := range s.Endpoints {
		e := &s.Endpoints[i]
		list[i] = backend{address: e.Addresses[0], rank: dedup.RankOf(e)}
		if e.NodeName != nil {
			list[i].node = *e.NodeName
		}
	}
	return dedup.Keyed(list, func(b backend) string { return b.address })
}

// A reader keeps backends by host name. Each event puts the slice that changed, or deletes it.
func ExampleCache() {
	const host = "web.default.svc"
	cache := dedup.NewCache[string, string](func(b backend) dedup.Rank { return b.rank })
	for _, s := range []*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1"), slice("web-b", "10.0.0.2", "10.0.0.1")} {
		cache.Put(host, dedup.SourceOf(s, dedup.ByResourceVersion), backendsOf(s))
	}
	fmt.Println(cache.Len(host), "backends")
	cache.Delete(host, types.NamespacedName{Namespace: "default", Name: "web-a"}) // the other slice still holds 10.0.0.1
	for address := range cache.All(host) {
		fmt.Println(address)
	}
	// Output:
	// 2 backends
	// 10.0.0.2
	// 10.0.0.1
}

// Without a rank the newest source wins.
func ExampleNewCache() {
	cache := dedup.NewCache[string, string, string](nil)
	for _, version := range []string{"9", "10"} {
		s := slice("web-" + version)
		s.ResourceVersion = version
		value := map[string]string{"10.0.0.1": "as of " + version}
		cache.Put("web", dedup.SourceOf(s, dedup.ByResourceVersion), func(yield func(string, string) bool) {
			for k, v := range value {
				if !yield(k, v) {
					return
				}
			}
		})
	}
	fmt.Println(cache.Get("web", "10.0.0.1"))
	// Output: as of 10 true
}

func ExampleKeyed() {
	for key, element := range dedup.Keyed([]string{"10.0.0.1:80", "10.0.0.2:80"}, func(s string) string { return s[:8] }) {
		fmt.Println(key, element)
	}
	// Output:
	// 10.0.0.1 10.0.0.1:80
	// 10.0.0.2 10.0.0.2:80
}

func ExampleCache_Has() {
	cache := dedup.NewCache[string, string, string](nil)
	cache.Put("web", dedup.SourceOf(slice("web-a"), dedup.ByResourceVersion), nil)
	fmt.Println(cache.Has("web"), cache.Len("web")) // known and empty
	fmt.Println(cache.Has("api"))                   // not known
	// Output:
	// true 0
	// false
}

// Entries need not come from EndpointSlices. A Source has a name, and a Target says which entries stand for the same thing: the
// machine that moved is listed once.
func ExampleSource() {
	type machine struct{ address, id string }
	cache := dedup.NewCache[string, string](func(m machine) dedup.Rank {
		return dedup.Rank{Target: dedup.Target{Kind: "Machine", UID: types.UID(m.id)}}
	})
	for name, m := range map[string]machine{"rack-1": {"10.0.0.1", "a"}, "rack-2": {"10.0.0.1", "a"}} {
		source := dedup.Source{Slice: types.NamespacedName{Namespace: "inventory", Name: name}}
		cache.Put("web", source, dedup.Keyed([]machine{m}, func(m machine) string { return m.address }))
	}
	fmt.Println(cache.Len("web"), "machine")
	// Output: 1 machine
}
