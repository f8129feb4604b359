package dedup_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
)

// onePortLists are lists of slices by the name of their case: ten slices of 100, the same with IPv6 addresses, one slice of
// three, and ten slices of 100 each of whose endpoints is in two of them.
func onePortLists() map[string][]*discoveryv1.EndpointSlice {
	ten := manySlices(1000)
	six, twice := manySlices(1000), manySlices(500)
	for _, s := range six {
		s.AddressType = discoveryv1.AddressTypeIPv6
		for i := range s.Endpoints {
			var a, b, c int
			fmt.Sscanf(s.Endpoints[i].Addresses[0], "10.%d.%d.%d", &a, &b, &c)
			s.Endpoints[i].Addresses[0] = fmt.Sprintf("fd00:10:96::%x", 0x1000+a<<16+b<<8+c)
		}
	}
	for _, s := range manySlices(500) {
		s.Name, s.ResourceVersion = "copy-"+s.Name, "2"
		twice = append(twice, s)
	}
	return map[string][]*discoveryv1.EndpointSlice{"ipv4": ten, "ipv6": six, "three": manySlices(3), "twice": twice}
}

// loop finds the endpoints of a port as readers do that do not know better: the first that comes of each address.
func loop(list []*discoveryv1.EndpointSlice, port string) []dedup.Found {
	seen := map[string]bool{}
	var all []dedup.Found
	for _, s := range list {
		for i := range s.Ports {
			if p := &s.Ports[i]; p.Name == nil || *p.Name != port || *p.Protocol != corev1.ProtocolTCP {
				continue
			}
			for j := range s.Endpoints {
				e := &s.Endpoints[j]
				if seen[e.Addresses[0]] {
					continue
				}
				seen[e.Addresses[0]] = true
				all = append(all, dedup.Found{Slice: s, Endpoint: e, Address: e.Addresses[0], Port: *s.Ports[i].Port})
			}
		}
	}
	return all
}

// BenchmarkOnePort finds the endpoints of one port, beside a plain loop over a map of addresses, which takes the first that
// comes and sorts nothing.
func BenchmarkOnePort(b *testing.B) {
	lists := onePortLists()
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		list := lists[name]
		want := len(loop(list, "http"))
		b.Run("case="+name+"/impl=slicewright", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if found, _ := dedup.OnePort(list, dedup.PortOptions{Port: "http"}); len(found) != want {
					b.Fatalf("found %d, want %d", len(found), want)
				}
			}
		})
		b.Run("case="+name+"/impl=loop", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				loop(list, "http")
			}
		})
	}
}
