package dedup_test

import (
	"fmt"
	"runtime"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
)

// encoded returns slices of n endpoints as an API server sends them: what is decoded from them shares no string.
func encoded(b *testing.B, n int) [][]byte {
	var all [][]byte
	for _, s := range manySlices(n) {
		text, err := s.Marshal()
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, text)
	}
	return all
}

func decoded(b *testing.B, all [][]byte) []*discoveryv1.EndpointSlice {
	list := make([]*discoveryv1.EndpointSlice, len(all))
	for i, text := range all {
		list[i] = &discoveryv1.EndpointSlice{}
		if err := list[i].Unmarshal(text); err != nil {
			b.Fatal(err)
		}
	}
	return list
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkKept reports what a reader keeps for each endpoint after the slices that it read are gone: an Index with its View,
// and the maps that readers keep by hand. The strings that both keep count.
func BenchmarkKept(b *testing.B) {
	for _, n := range []int{1000, 50000, 500000} {
		all := encoded(b, n)
		for name, keep := range map[string]func([]*discoveryv1.EndpointSlice) any{
			"slicewright": func(list []*discoveryv1.EndpointSlice) any {
				ix := &dedup.Index{}
				ix.Replace(list)
				ix.Flush()
				return ix
			},
			"maps": func(list []*discoveryv1.EndpointSlice) any {
				m := newMapReader()
				for _, s := range list {
					m.update(s)
				}
				return m
			},
		} {
			b.Run(fmt.Sprintf("n=%d/impl=%s", n, name), func(b *testing.B) {
				var kept uint64
				for b.Loop() {
					before := heap()
					reader := keep(decoded(b, all))
					kept = heap() - before
					runtime.KeepAlive(reader)
				}
				b.ReportMetric(float64(kept)/float64(n), "B/endpoint")
			})
		}
	}
}

// BenchmarkReplace takes slices in that were just decoded from protobuf, beside decoding them.
func BenchmarkReplace(b *testing.B) {
	for _, n := range []int{5000, 500000} {
		all := encoded(b, n)
		b.Run(fmt.Sprintf("n=%d/impl=decode", n), func(b *testing.B) {
			for b.Loop() {
				runtime.KeepAlive(decoded(b, all))
			}
		})
		list := decoded(b, all)
		b.Run(fmt.Sprintf("n=%d/impl=slicewright", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var ix dedup.Index
				ix.Replace(list)
				ix.Flush()
			}
		})
	}
}
