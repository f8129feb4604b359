package dedup

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
		ed := editor[int]{compare: compare}
		var list sorted[int]
		var want []int
		for range rapid.IntRange(1, 12).Draw(t, "versions") {
			before, copied := list, slices.Clone(want)
			first := rapid.IntRange(0, 1500).Draw(t, "first")
			step, count := rapid.IntRange(1, 40).Draw(t, "step"), rapid.SampledFrom([]int{0, 1, 2, 30, 129, 700}).Draw(t, "count")
			removes := rapid.SampledFrom([]int{1, 2, 3, 1000}).Draw(t, "one in so many is put")
			ed.begin(list, count)
			for i := range count {
				v := first + i*step
				at, found := slices.BinarySearch(want, v)
				if i%removes == 0 {
					ed.put(&v)
					if !found {
						want = slices.Insert(want, at, v)
					}
				} else {
					ed.remove(&v)
					if found {
						want = slices.Delete(want, at, at+1)
					}
				}
			}
			list = ed.end()
			if got := flat(t, list); !slices.Equal(got, want) {
				t.Fatalf("got %v, want %v", got, want)
			}
			if got := flat(t, before); !slices.Equal(got, copied) {
				t.Fatalf("the old version is %v, was %v", got, copied)
			}
			for _, probe := range []int{first, first + step, -1, 100000} {
				_, found := slices.BinarySearch(want, probe)
				if at := list.find(&probe, compare); (at != nil) != found || (at != nil && *at != probe) {
					t.Fatalf("find %d: %v", probe, at)
				}
			}
		}
	})
}

func flat(t *rapid.T, s sorted[int]) []int {
	var all []int
	for _, chunk := range s.chunks {
		if len(chunk) > maxChunk || (len(chunk) < minChunk && len(s.chunks) > 1) || cap(chunk) != len(chunk) || len(chunk) == 0 {
			t.Fatalf("a chunk of %d, capacity %d, among %d", len(chunk), cap(chunk), len(s.chunks))
		}
	}
	s.all(func(v *int) bool {
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
	ed := editor[int]{compare: func(a, b *int) int { return cmp.Compare(*a, *b) }}
	ed.begin(sorted[int]{}, 300)
	for i := range 300 {
		ed.put(&i)
	}
	n := 0
	ed.end().all(func(*int) bool { n++; return n < 130 })
	if n != 130 {
		t.Errorf("read %d after it said stop at 130", n)
	}
}

// TestRadix compares sorting by digits with sorting by comparisons.
func TestRadix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hosts := rapid.SliceOfN(rapid.Uint64(), 1, 4).Draw(t, "numbers")
		names := []string{"b.example.com", "a.example.com"}
		ops := make([]spot, rapid.IntRange(0, 3*radixFrom).Draw(t, "length"))
		records := make([]*record, len(ops))
		for i := range ops {
			pick := rapid.IntRange(0, len(hosts)).Draw(t, "host")
			records[i] = &record{more: &more{fqdn: names[i%2]}}
			ops[i] = spot{index: int32(i), number: uint16(rapid.IntRange(0, 70000).Draw(t, "port"))}
			if pick < len(hosts) {
				ops[i].host = host{hi: hosts[pick] >> 7, lo: hosts[pick] * uint64(i%3+1)}
			}
			records[i].host = ops[i].host
		}
		want := slices.Clone(ops)
		l := opList{spots: spots{list: ops}, records: records}
		slices.SortFunc(want, func(a, b spot) int { return compareSpots(&a, &b, l.compareNames) })
		if got := l.sort(l.compareNames); !slices.EqualFunc(got, want, func(a, b spot) bool { return compareSpots(&a, &b, l.compareNames) == 0 }) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}
