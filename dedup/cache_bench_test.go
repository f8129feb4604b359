package dedup_test

import (
	"testing"

	"github.com/slicewright/slicewright/dedup"
)

// BenchmarkCache puts one of ten slices of 100 endpoints again and reads them all.
func BenchmarkCache(b *testing.B) {
	list := manySlices(1000)
	entries := make([][]meshEndpoint, len(list))
	for i, s := range list {
		for j := range s.Endpoints {
			e := &s.Endpoints[j]
			entries[i] = append(entries[i], meshEndpoint{address: e.Addresses[0], portName: "http", number: 8080, rank: dedup.RankOf(e)})
		}
	}
	key := func(e *meshEndpoint) meshKey { return meshKey{e.address, e.portName} }
	// read makes the entries of a slice, as a reader does for each event.
	read := func(i int) []*meshEndpoint {
		made := make([]*meshEndpoint, 0, len(entries[i]))
		for _, e := range entries[i] {
			made = append(made, &e)
		}
		return made
	}
	b.Run("impl=slicewright", func(b *testing.B) {
		cache := dedup.NewCache[string, meshKey](func(e *meshEndpoint) dedup.Rank { return e.rank })
		put := func(i int) {
			cache.Put("web", dedup.SourceOf(list[i]), keyed(read(i), key))
		}
		for i := range list {
			put(i)
		}
		turn := 0
		b.ReportAllocs()
		for b.Loop() {
			turn++
			put(turn % len(list))
			all := make([]*meshEndpoint, 0, cache.Len("web"))
			for _, e := range cache.All("web") {
				all = append(all, e)
			}
			if len(all) != 1000 {
				b.Fatalf("%d entries", len(all))
			}
		}
	})
}
