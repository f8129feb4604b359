package service

import (
	"slices"
	"testing"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// TestMatchPrefetches: few Pods are not prefetched, and many where slices are in another order.
func TestMatchPrefetches(t *testing.T) {
	for n, want := range map[int]bool{cached: false, cached + 1: true} {
		for _, scattered := range []bool{false, true} {
			m := matcherOf(numberedPods(n), Options{})
			list := held(m, ipv4, countTo(0, 3*endpoint.PrefetchDistance)...)
			if scattered {
				slices.Reverse(list)
			}
			m.match(list, ipv4)
			if have := m.sink > 0; have != (want && scattered) {
				t.Errorf("%d Pods, scattered: %v, prefetched: %v", n, scattered, have)
			}
		}
	}
}

// TestReadPrefetches: where Pods are read one after the other, many are prefetched, and few are not, nor are those of which some
// are done.
func TestReadPrefetches(t *testing.T) {
	for n, want := range map[int]bool{cached: false, cached + 1: true} {
		of := numberedPods(n)
		f := finderOf(of)
		f.index()
		m, some := matcherOf(of, Options{}), matcherOf(of, Options{})
		m.w.readRest(m.seen, m.w)
		for i := range some.seen {
			some.seen[i].done = allFamilies * familySet(1-min(i%endpoint.PrefetchDistance, 1))
		}
		some.w.readRest(some.seen, some.w)
		for why, sum := range map[string]int{"by name": f.sink, "all": m.w.sink} {
			if (sum > 0) != want {
				t.Errorf("%d Pods, %s: prefetched: %v", n, why, sum > 0)
			}
		}
		if some.w.sink > 0 {
			t.Errorf("%d Pods of which some are done are prefetched", n)
		}
	}
}
