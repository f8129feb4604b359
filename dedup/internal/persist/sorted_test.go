package persist

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSorted edits lists against a plain slice: the new version has the edits, the old one is as it was, and chunks
// have their size.
func TestSorted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		compare := func(a, b *int) int { return cmp.Compare(*a, *b) }
		ed := Editor[int]{Compare: compare}
		var list Sorted[int]
		var want []int
		for range rapid.IntRange(1, 12).Draw(t, "versions") {
			before, copied := list, slices.Clone(want)
			first := rapid.IntRange(0, 1500).Draw(t, "first")
			step, count := rapid.IntRange(1, 40).Draw(t, "step"), rapid.SampledFrom([]int{0, 1, 2, 30, 129, 700}).Draw(t, "count")
			removes := rapid.SampledFrom([]int{1, 2, 3, 1000}).Draw(t, "one in so many is put")
			ed.Begin(list, count)
			for i := range count {
				v := first + i*step
				at, found := slices.BinarySearch(want, v)
				if i%removes == 0 {
					ed.Put(&v)
					if !found {
						want = slices.Insert(want, at, v)
					}
				} else {
					ed.Remove(&v)
					if found {
						want = slices.Delete(want, at, at+1)
					}
				}
			}
			list = ed.End()
			if got := flat(t, list); !slices.Equal(got, want) {
				t.Fatalf("got %v, want %v", got, want)
			}
			if got := flat(t, before); !slices.Equal(got, copied) {
				t.Fatalf("the old version is %v, was %v", got, copied)
			}
			for _, probe := range []int{first, first + step, -1, 100000} {
				_, found := slices.BinarySearch(want, probe)
				if at := list.Find(&probe, compare); (at != nil) != found || (at != nil && *at != probe) {
					t.Fatalf("find %d: %v", probe, at)
				}
			}
		}
	})
}

func flat(t *rapid.T, s Sorted[int]) []int {
	var all []int
	for _, chunk := range s.chunks {
		if len(chunk) > maxChunk || (len(chunk) < minChunk && len(s.chunks) > 1) || cap(chunk) != len(chunk) || len(chunk) == 0 {
			t.Fatalf("a chunk of %d, capacity %d, among %d", len(chunk), cap(chunk), len(s.chunks))
		}
	}
	s.All(func(v *int) bool {
		all = append(all, *v)
		return true
	})
	if len(all) != s.size {
		t.Fatalf("size %d, elements %d", s.size, len(all))
	}
	return all
}

// TestSortedStops holds readers that stop early.
func TestSortedStops(t *testing.T) {
	ed := Editor[int]{Compare: func(a, b *int) int { return cmp.Compare(*a, *b) }}
	ed.Begin(Sorted[int]{}, 300)
	for i := range 300 {
		ed.Put(&i)
	}
	n := 0
	ed.End().All(func(*int) bool { n++; return n < 130 })
	if n != 130 {
		t.Errorf("read %d after it said stop at 130", n)
	}
}
