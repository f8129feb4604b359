package conformance

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/test/bench"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
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
	fleet := bench.Drawn(5000)
	var all []*discoveryv1.EndpointSlice
	for _, s := range fleet {
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
	for name, cached := range map[string]bool{"syncer/shown=none": false, "syncer/shown=all": true} {
		memory(b, name, func() any { return syncerOfAll(b, fleet, cached) })
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

// syncerOfAll updates a slice of each Service, and asks again with a cache that shows all of that or nothing.
func syncerOfAll(b *testing.B, fleet bench.Fleet, shown bool) *publish.Syncer {
	var cache []*discoveryv1.EndpointSlice
	syncer := publish.New(publish.Slices{
		Cached: func(string, labels.Selector) ([]*discoveryv1.EndpointSlice, error) { return cache, nil },
		List: func(context.Context, string, labels.Selector) (*discoveryv1.EndpointSliceList, error) {
			return nil, nil
		},
		Get: func(context.Context, string, string) (*discoveryv1.EndpointSlice, error) { return nil, nil },
		Writer: func(context.Context, string) publish.Writer {
			return publish.Writer{Update: func(s *discoveryv1.EndpointSlice) error {
				s.ResourceVersion = "1000000"
				return nil
			}}
		},
	}, services.Options{})
	for _, s := range fleet {
		cache = s.Slices
		old, written := s.Slices[0], *s.Slices[0]
		set := slicer.Set{Namespace: old.Namespace, Name: s.Service.Name, ManagedBy: old.Labels[discoveryv1.LabelManagedBy]}
		write := slicer.Plan{Steps: []slicer.Step{{Verb: slicer.Update, Old: old, New: &written}}}
		for i, plan := range []slicer.Plan{write, {}} {
			_, err := syncer.Sync(b.Context(), set, func([]*discoveryv1.EndpointSlice) (slicer.Plan, error) { return plan, nil })
			if late := i == 1 && !shown; errors.Is(err, publish.ErrWait) != late || err != nil && !late {
				b.Fatal("a cache that shows the write: ", shown, ", and the error is: ", err)
			}
			if shown {
				cache = []*discoveryv1.EndpointSlice{&written}
			}
		}
	}
	return syncer
}
