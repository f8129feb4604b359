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

// listOf is a list of the numbers from 0 on.
func listOf(ed *Editor[int], n int) Sorted[int] {
	ed.Begin(Sorted[int]{}, n)
	for i := range n {
		ed.Put(&i)
	}
	return ed.End()
}

// TestSortedShares: an edit of two elements that lie apart copies the chunks around them and shares all others.
func TestSortedShares(t *testing.T) {
	ed := Editor[int]{Compare: func(a, b *int) int { return cmp.Compare(*a, *b) }}
	before := listOf(&ed, 100*maxChunk)
	old := map[*int]bool{}
	for _, chunk := range before.Chunks() {
		old[&chunk[0]] = true
	}
	first, last := 10*maxChunk+5, 90*maxChunk
	ed.Begin(before, 1)
	ed.Put(&first)
	ed.Remove(&last)
	after := ed.End()
	made := 0
	for _, chunk := range after.Chunks() {
		if !old[&chunk[0]] {
			made++
		}
	}
	if made == 0 || made > 4 || len(after.Chunks()) < 99 || after.Len() != before.Len()-1 {
		t.Errorf("%d of %d chunks are new, with %d elements", made, len(after.Chunks()), after.Len())
	}
}

// TestSortedWithers: where little is left of the first chunk, it takes its neighbour in.
func TestSortedWithers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ed := Editor[int]{Compare: func(a, b *int) int { return cmp.Compare(*a, *b) }}
		chunks := rapid.IntRange(2, 10).Draw(t, "chunks")
		before := listOf(&ed, chunks*maxChunk)
		ed.Begin(before, 1)
		left := rapid.IntRange(0, maxChunk).Draw(t, "left of the first chunk")
		for i := left; i < maxChunk; i++ {
			ed.Remove(&i)
		}
		if far := rapid.IntRange(0, chunks*maxChunk-1).Draw(t, "then one that is there is put"); far >= maxChunk {
			ed.Put(&far)
		}
		var want []int
		for i := range chunks * maxChunk {
			if i < left || i >= maxChunk {
				want = append(want, i)
			}
		}
		if have := flat(t, ed.End()); !slices.Equal(have, want) {
			t.Fatalf("%v, want %v", have, want)
		}
	})
}

// TestEditorForgets: an editor that rests holds none of the elements that it copied.
func TestEditorForgets(t *testing.T) {
	ed := Editor[*int]{Compare: func(a, b **int) int { return cmp.Compare(**a, **b) }}
	var list Sorted[*int]
	for range 3 {
		ed.Begin(list, 300)
		for i := range 300 {
			v := new(int)
			*v = 2 * i
			ed.Put(&v)
		}
		list = ed.End()
	}
	for i, v := range ed.buf[:cap(ed.buf)] {
		if v != nil {
			t.Fatalf("it holds an element at %d of %d", i, cap(ed.buf))
		}
	}
	if ed.rest != nil || ed.old != nil || ed.out != nil || ed.tail != nil {
		t.Error("it holds chunks")
	}
}
