package dedup_test

import (
	"fmt"
	"testing"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/test/gen"
)

// BenchmarkOnePort finds the endpoints of one port of a Service.
func BenchmarkOnePort(b *testing.B) {
	for _, n := range []int{3, 100, 1000} {
		list := gen.Service(n).Existing
		b.Run(fmt.Sprintf("endpoints=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if found, _ := dedup.OnePort(list, "http", "", dedup.Options{}); len(found) != n {
					b.Fatal(len(found), " endpoints are found")
				}
			}
		})
	}
}

// BenchmarkIndex shows an Index of a Service, in turn, a slice that lacks its last endpoint and the
// one that has it.
func BenchmarkIndex(b *testing.B) {
	for _, n := range []int{3, 100, 1000} {
		b.Run(fmt.Sprintf("endpoints=%d", n), func(b *testing.B) {
			ix, list := newIndex(dedup.Options{}), gen.Service(n).Existing
			for _, s := range list {
				ix.Upsert(s)
			}
			ix.Flush()
			now, next := list[0], list[0].DeepCopy()
			next.ResourceVersion += "0"
			next.Endpoints = next.Endpoints[:len(next.Endpoints)-1]
			b.ReportAllocs()
			for b.Loop() {
				ix.Upsert(next)
				if changes, _ := ix.Flush(); len(changes.Ports) == 0 {
					b.Fatal("nothing changed")
				}
				now, next = next, now
			}
		})
	}
}
