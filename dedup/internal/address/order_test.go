package address

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSort compares sorting by digits with the standard library's stable sort. Of names that are
// one any may come first.
func TestSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hosts := rapid.SliceOfN(rapid.Uint64(), 0, 4).Draw(t, "numbers")
		names := []string{"b.example.com", "a.example.com"}
		l := Order{Name: func(index int32) string { return names[index%2] }}
		for i := range rapid.IntRange(0, 3*radixFrom).Draw(t, "length") {
			p := Entry{Index: int32(i)}
			if pick := rapid.IntRange(0, len(hosts)).Draw(t, "host"); pick < len(hosts) {
				p.Host = Host{hi: hosts[pick] >> 7, lo: hosts[pick] * uint64(i%3+1)}
			}
			l.List = append(l.List, p)
		}
		compare := func(a, b Entry) int {
			if a.Host.IsName() && b.Host.IsName() {
				return cmp.Compare(l.Name(a.Index), l.Name(b.Index))
			}
			return cmp.Or(cmp.Compare(a.Host.hi, b.Host.hi), cmp.Compare(a.Host.lo, b.Host.lo))
		}
		want := slices.Clone(l.List)
		slices.SortStableFunc(want, compare)
		l.Sort()
		if !slices.EqualFunc(l.List, want,
			func(a, b Entry) bool { return compare(a, b) == 0 && (a.Host.IsName() || a == b) }) {
			t.Fatalf("got %v, want %v", l.List, want)
		}
		distinct := slices.CompactFunc(want, func(a, b Entry) bool { return compare(a, b) == 0 })
		var runs []Entry
		for list := l.List; len(list) > 0; list = list[l.Same(list):] {
			runs = append(runs, list[0])
		}
		if !slices.EqualFunc(runs, distinct, func(a, b Entry) bool { return compare(a, b) == 0 }) {
			t.Fatalf("distinct are %v, want %v", runs, distinct)
		}
	})
}
