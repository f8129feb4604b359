package hints

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Zones leave the heap in the order of what one of their endpoints carries, weight/count in exact fractions, and zones
// that carry the same in the order of their names; after each step the top zone has an endpoint more or fewer.
func TestRanking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zones := rapid.IntRange(1, 9).Draw(t, "zones")
		w := Weights{Zones: map[string]int64{}}
		for z := range zones {
			w.Zones[string(rune('a'+z))] = rapid.Int64Range(1, 4).Draw(t, "weight")
		}
		s := newShares(w)
		first := extreme(rapid.Bool().Draw(t, "first"))
		count := make([]int, zones)
		for z := range count {
			count[z] = rapid.IntRange(0, 4).Draw(t, "count")
		}
		r := newRanking(&s, count, first)
		var inside []int
		for _, z := range rapid.Permutation(byNumber(zones)).Draw(t, "order") {
			r.add(z)
			inside = append(inside, z)
		}
		for !r.empty() {
			want := slices.MinFunc(inside, func(a, b int) int { return compareLoads(&s, count, first, a, b) })
			if got := r.top(); got != want {
				t.Fatalf("zone %d comes first of %v, want %d; weights %v, counts %v, %v", got, inside, want, s.weight, count, first)
			}
			switch {
			case rapid.Bool().Draw(t, "drop"):
				inside = slices.DeleteFunc(inside, func(z int) bool { return z == want })
				r.drop()
			case first == heaviestFirst && count[want] < 6:
				count[want]++
				r.fix()
			case count[want] > 0:
				count[want]--
				r.fix()
			}
		}
	})
}

func byNumber(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// compareLoads compares weight/count as fractions; a zone without endpoints carries most, and then the weight decides.
func compareLoads(s *shares, count []int, first extreme, a, b int) int {
	load := func(z int) (infinite int, carried *big.Rat) {
		if count[z] == 0 {
			return 1, big.NewRat(int64(s.weight[z]), 1)
		}
		return 0, big.NewRat(int64(s.weight[z]), int64(count[z]))
	}
	x, p := load(a)
	y, q := load(b)
	d := y - x
	if d == 0 {
		d = q.Cmp(p)
	}
	if first == lightestFirst {
		d = -d
	}
	if d == 0 {
		d = a - b
	}
	return d
}
