package dedup

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

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
