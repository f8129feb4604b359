package dedup_test

import (
	"fmt"
	"maps"

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
	return func(yield func(string, backend) bool) {
		for i := range s.Endpoints {
			e := &s.Endpoints[i]
			b := backend{address: e.Addresses[0], rank: dedup.RankOf(e)}
			if e.NodeName != nil {
				b.node = *e.NodeName
			}
			if !yield(b.address, b) {
				return
			}
		}
	}
}

// A reader keeps backends by host name. Each event puts the slice that changed, or deletes it.
func ExampleCache() {
	const host = "web.default.svc"
	cache := dedup.NewCache[string, string](func(b backend) dedup.Rank { return b.rank })
	for _, s := range []*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1"), slice("web-b", "10.0.0.2", "10.0.0.1")} {
		cache.Put(host, dedup.SourceOf(s), backendsOf(s))
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
		cache.Put("web", dedup.SourceOf(s), maps.All(map[string]string{"10.0.0.1": "as of " + version}))
	}
	fmt.Println(cache.Get("web", "10.0.0.1"))
	// Output: as of 10 true
}

func ExampleCache_Has() {
	cache := dedup.NewCache[string, string, string](nil)
	cache.Put("web", dedup.SourceOf(slice("web-a")), nil)
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
		cache.Put("web", source, maps.All(map[string]machine{m.address: m}))
	}
	fmt.Println(cache.Len("web"), "machine")
	// Output: 1 machine
}
