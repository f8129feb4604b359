package dedup_test

import (
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/hints"
)

// A gateway asks a lister for the slices of one Service when it configures a route, and keeps nothing. The Pod 10.0.0.2 is in
// two slices while it moves, and is listed once.
func Example_onePort() {
	slices := []*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1", "10.0.0.2"), slice("web-b", "10.0.0.2", "10.0.0.3")}
	found, problems := dedup.OnePort(slices, dedup.PortOptions{Port: "http"})
	if err := problems.Err(); err != nil {
		fmt.Println(err) // what was set aside, such as an address that is none
	}
	routes := hints.Route(found, dedup.Found.Candidate, hints.Location{}, hints.Policy{}) // ready ones, else draining ones
	for _, f := range routes.Cluster {
		fmt.Println(f.Address, f.Port)
	}
	// Output:
	// 10.0.0.1 8080
	// 10.0.0.2 8080
	// 10.0.0.3 8080
}

// A proxy keeps entries of its own type. A slice that is deleted takes away only the entries that no other slice holds.
func Example_ownTypes() {
	cache := dedup.NewCache[string, string](func(b backend) dedup.Rank { return b.rank })
	put := func(s *discoveryv1.EndpointSlice) {
		cache.Put("web", dedup.SourceOf(s), backendsOf(s))
	}
	put(slice("web-a", "10.0.0.1", "10.0.0.2"))
	put(slice("web-b", "10.0.0.2"))
	cache.Delete("web", types.NamespacedName{Namespace: "default", Name: "web-a"})
	for address, b := range cache.All("web") {
		fmt.Println(address, b.rank.State.Ready)
	}
	// Output: 10.0.0.2 true
}
