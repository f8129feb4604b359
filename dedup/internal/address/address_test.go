package address

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSort compares sorting by digits with sorting by comparisons.
func TestSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hosts := rapid.SliceOfN(rapid.Uint64(), 1, 4).Draw(t, "numbers")
		names := []string{"b.example.com", "a.example.com"}
		l := Ports{Name: func(index int32) string { return names[index%2] }}
		for i := range rapid.IntRange(0, 3*radixFrom).Draw(t, "length") {
			p := Port{Index: int32(i), Number: uint16(rapid.IntRange(0, 70000).Draw(t, "port"))}
			if pick := rapid.IntRange(0, len(hosts)).Draw(t, "host"); pick < len(hosts) {
				p.Host = Host{hi: hosts[pick] >> 7, lo: hosts[pick] * uint64(i%3+1)}
			}
			l.List = append(l.List, p)
		}
		compare := l.compare
		want := slices.Clone(l.List)
		slices.SortFunc(want, compare)
		l.Sort()
		if !slices.EqualFunc(l.List, want, func(a, b Port) bool { return compare(a, b) == 0 }) {
			t.Fatalf("got %v, want %v", l.List, want)
		}
		distinct := len(slices.CompactFunc(want, func(a, b Port) bool { return compare(a, b) == 0 }))
		n := 0
		for range l.Runs {
			n++
		}
		if n != distinct {
			t.Fatalf("%d distinct, want %d", n, distinct)
		}
	})
}
