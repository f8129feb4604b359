package dedup_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/hints/routing"
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
	// the other slice still holds 10.0.0.1
	cache.Delete(host, types.NamespacedName{Namespace: "default", Name: "web-a"})
	for address := range cache.All(host) {
		fmt.Println(address)
	}
	// Output:
	// 2 backends
	// 10.0.0.2
	// 10.0.0.1
}

// A DNS server follows a watch and answers for the name of each Pod. The key is the Pod with the
// address, so that two Pods on the network of one node keep their names. The newest slice of a Pod
// counts.
func ExampleCache_Put() {
	type record struct{ pod, address string }
	records := func(s *discoveryv1.EndpointSlice) func(yield func(record, *discoveryv1.Endpoint) bool) {
		return func(yield func(record, *discoveryv1.Endpoint) bool) {
			for i := range s.Endpoints {
				e := &s.Endpoints[i]
				if e.TargetRef != nil && !yield(record{e.TargetRef.Name, e.Addresses[0]}, e) {
					return
				}
			}
		}
	}
	cache := dedup.NewCache[string, record](dedup.RankOf)
	s := slice("db-a", "10.0.0.1", "10.0.0.1")
	for i, name := range []string{"db-0", "db-1"} {
		s.Endpoints[i].TargetRef = &corev1.ObjectReference{Kind: "Pod", Name: name}
	}
	cache.Put("db", dedup.SourceOf(s), records(s))
	for r := range cache.All("db") {
		fmt.Println(r.pod, r.address)
	}
	// Output:
	// db-0 10.0.0.1
	// db-1 10.0.0.1
}

// A proxy in zone-b asks for the endpoints of one port that it may use.
func ExampleOnePort() {
	a, b := slice("web-a", "10.0.0.10", "10.0.0.2"), slice("web-b", "10.0.0.2", "10.0.0.256")
	for i, zone := range []string{"zone-a", "zone-b"} {
		a.Endpoints[i].Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: zone}}}
	}
	found, problems := dedup.OnePort([]*discoveryv1.EndpointSlice{a, b}, dedup.PortOptions{Port: "http"})
	if len(problems) > 0 {
		fmt.Println(problems) // what was skipped; the rest is good
	}
	for _, f := range found {
		fmt.Println(f.Address, f.Port, "from", f.Slice.Name)
	}
	routes := routing.Route(found, dedup.Found.Candidate, routing.Location{Zone: "zone-b"}, routing.Policy{})
	fmt.Println(len(routes.Endpoints), "for zone-b:", routes.Endpoints[0].Address)
	// Output:
	// default/web-b: endpoints[1].addresses[0]: Invalid value: "10.0.0.256": must be an address of the slice's type
	// 10.0.0.2 8080 from web-a
	// 10.0.0.10 8080 from web-a
	// 1 for zone-b: 10.0.0.2
}
