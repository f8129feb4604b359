package conformance

import (
	"fmt"
	"runtime"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/test/bench"
	"github.com/slicewright/slicewright/slicer"
)

// BenchmarkMemory says what calls allocate, and what is kept while the caller holds their results: kept-B, for each operation. The
// README of this module has its figures.
func BenchmarkMemory(b *testing.B) {
	for _, c := range []struct {
		change bench.Change
		pods   int
	}{{bench.Nothing, 3}, {bench.Nothing, 100}, {bench.Nothing, 1000}, {bench.OnePod, 100}, {bench.OnePod, 1000}, {bench.TargetPort, 1000}} {
		s := bench.Services(1, c.pods, "").After(c.change)[0]
		memory(b, fmt.Sprintf("plan/pods=%d/change=%s", c.pods, c.change), func() any {
			plan, err := s.Plan()
			if err != nil {
				b.Fatal(err)
			}
			return plan
		})
	}
	services := bench.Drawn(5000)
	var all []*discoveryv1.EndpointSlice
	for _, s := range services {
		all = append(all, s.Slices...)
	}
	index := func() any {
		ix := &dedup.Index{}
		ix.Replace(all)
		ix.Flush()
		return ix
	}
	memory(b, fmt.Sprintf("index/services=5000/slices=%d", len(all)), index)
	ix := index().(*dedup.Index)
	memory(b, "index/one-slice-changes", func() any {
		changed := all[0].DeepCopy()
		changed.ResourceVersion = all[0].ResourceVersion + "0"
		changed.Endpoints = changed.Endpoints[1:]
		ix.Upsert(changed)
		ix.Flush()
		ix.Upsert(all[0])
		ix.Flush()
		return nil
	})
	for name, cached := range map[string]bool{"writes/shown=none": false, "writes/shown=all": true} {
		memory(b, name, func() any { return writesOfAll(b, services, cached) })
	}
}

// memory runs an operation, and keeps its results until it has measured what they hold.
func memory(b *testing.B, name string, operation func() any) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		operation() // what a first run leaves in pools is there
		results := make([]any, b.N)
		before := heap()
		b.ResetTimer()
		for i := range results {
			results[i] = operation()
		}
		b.StopTimer()
		b.ReportMetric((heap()-before)/float64(b.N), "kept-B")
		runtime.KeepAlive(results)
	})
}

// heap is the memory in use after a collection.
func heap() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// writesOfAll updates a slice of each Service, and asks with a cache that shows all of that or nothing.
func writesOfAll(b *testing.B, services bench.Fleet, shown bool) *slicer.Writes {
	writes := &slicer.Writes{}
	for _, s := range services {
		set := slicer.Set{Namespace: s.Service.Namespace, Name: s.Service.Name}
		written := *s.Slices[0]
		w := slicer.Writer{Update: func(s *discoveryv1.EndpointSlice) error {
			s.ResourceVersion = "1000000"
			return nil
		}}
		if err := writes.Through(set, w).Update(&written); err != nil {
			b.Fatal(err)
		}
		if err := writes.Behind(set, cacheOf(s, &written, shown), ""); (err == nil) != shown {
			b.Fatal("a cache that shows the write: ", shown, ", and Behind says: ", err)
		}
	}
	return writes
}

func cacheOf(s *bench.Sync, written *discoveryv1.EndpointSlice, shown bool) []*discoveryv1.EndpointSlice {
	if shown {
		return []*discoveryv1.EndpointSlice{written}
	}
	return s.Slices
}
