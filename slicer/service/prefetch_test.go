package service

import (
	"slices"
	"testing"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// TestScattered: many Pods lie all over memory where slices are in another order, and few never do.
func TestScattered(t *testing.T) {
	for n, want := range map[int]bool{cached: false, cached + 1: true} {
		for _, scattered := range []bool{false, true} {
			m := matcherOf(numberedPods(n), Options{})
			list := held(m, ipv4, countTo(0, 3*endpoint.PrefetchDistance)...)
			if scattered {
				slices.Reverse(list)
			}
			m.match(list, ipv4)
			if have := m.scattered(); have != (want && scattered) {
				t.Errorf("%d Pods in another order: %v, scattered: %v", n, scattered, have)
			}
		}
	}
}

// TestBlocks: many Pods are prefetched, each once, and few are not, nor is a block of which one is done.
func TestBlocks(t *testing.T) {
	for n, want := range map[int]int{cached: 0, cached + 1: cached + 1} {
		of := numberedPods(n)
		all, some := make([]seen, n), make([]seen, n)
		some[n-2].done = allFamilies
		some[0].done = only(ipv4)
		names, rest, restOfSome := 0, 0, 0
		for i := range n {
			names, rest, restOfSome = names+len(of.block(i)), rest+len(of.restOf(i, all)), restOfSome+len(of.restOf(i, some))
		}
		if names != want || rest != want || restOfSome != max(0, want-endpoint.PrefetchDistance) {
			t.Errorf("of %d Pods %d, %d and %d are prefetched", n, names, rest, restOfSome)
		}
	}
}
