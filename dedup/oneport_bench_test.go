package dedup_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

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

// BenchmarkOnePort finds the endpoints of one port.
func BenchmarkOnePort(b *testing.B) {
	lists := onePortLists()
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		b.Run("case="+name+"/impl=slicewright", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if found, _ := dedup.OnePort(lists[name], dedup.PortOptions{Port: "http"}); len(found) == 0 {
					b.Fatal("nothing is found")
				}
			}
		})
	}
}
