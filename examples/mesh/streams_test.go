package main

import (
	"fmt"
	"runtime"
	"testing"

	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	"github.com/envoyproxy/go-control-plane/pkg/cache/v3"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"
	streams "github.com/envoyproxy/go-control-plane/pkg/server/stream/v3"

	"github.com/slicewright/slicewright/dedup"
)

// reader is a client that asks the caches as a stream does, without the network in between.
type reader struct {
	node *core.Node
	sub  streams.Subscription
	got  chan cache.Response
	last string
}

func (r *reader) ask(t testing.TB, c *caches, name string) {
	_, err := c.CreateWatch(&cache.Request{Node: r.node, TypeUrl: resource.EndpointType, ResourceNames: []string{name}, VersionInfo: r.last}, r.sub, r.got)
	if err != nil {
		t.Fatal(err)
	}
}

// take receives an answer, and returns its size.
func (r *reader) take(t testing.TB) (size int) {
	answer := <-r.got
	encoded, err := answer.GetDiscoveryResponse()
	if err != nil {
		t.Fatal(err)
	}
	r.sub.SetReturnedResources(answer.GetReturnedResources())
	r.last = answer.GetResponseVersion()
	for _, a := range encoded.GetResources() {
		size += len(a.GetValue())
	}
	return size
}

// heap is how much memory is in use.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkStreams is the time from an event in one slice of a Service of 5000 endpoints until 500 streams have their
// answers, and the memory that the streams cost. The clients are in 3 or in 500 zones, the endpoints in 3.
func BenchmarkStreams(b *testing.B) {
	for _, zones := range []int{3, 500} {
		b.Run(fmt.Sprint("zones=", zones), func(b *testing.B) {
			list := fleet(1)
			c, s := newCaches(1000), newStore(&dedup.Index{})
			if err := s.Replace(list, ""); err != nil {
				b.Fatal(err)
			}
			s.publish(c)
			empty := heap()
			readers := make([]*reader, 500)
			for i := range readers {
				name := "web-0.shop:grpc"
				r := &reader{node: nodeIn(fmt.Sprint("zone-", i%zones)), sub: streams.NewSotwSubscription([]string{name}, false), got: make(chan cache.Response, 1)}
				if err := c.join(stream{id: int64(i)}, r.node); err != nil {
					b.Fatal(err)
				}
				r.ask(b, c, name)
				if r.take(b) < 100_000 {
					b.Fatal("the answer lacks endpoints")
				}
				readers[i] = r
			}
			full := heap() - empty
			n := 0
			for b.Loop() {
				b.StopTimer()
				for _, r := range readers {
					r.ask(b, c, "web-0.shop:grpc")
				}
				changed, _ := event(list, n)
				n++
				if err := s.Update(changed); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				s.publish(c)
				for _, r := range readers {
					r.take(b)
				}
			}
			b.ReportMetric(float64(full)/1e6, "MB-for-streams")
			runtime.KeepAlive(c)
		})
	}
}
