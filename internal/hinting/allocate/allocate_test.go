package allocate

import (
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/slicewright/slicewright/internal/test/nightly" // properties fail soon
)

// TestOpenAgainstEverySet: what Open returns is enough, no slice of it can be left out, and it is
// seldom more than the least. How often is logged; with so few zones and slices it is never more
// than one.
func TestOpenAgainstEverySet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	by := map[string]int{}
	for range 20000 {
		zones, n := 2+r.IntN(4), 0
		list, total, minimums := make([]Held, 1+r.IntN(9)), make([]int, zones), make([]int, zones)
		for i := range list {
			for z := range zones {
				if c := r.IntN(6) * r.IntN(2); c > 0 {
					list[i].Counts = append(list[i].Counts, ZoneCount{z, c})
					total[z] += c
					n += c
				}
			}
		}
		for rest := n; rest > 0; rest-- { // minimums that can be met
			if r.IntN(5) > 0 {
				minimums[r.IntN(1+r.IntN(zones))]++
			}
		}
		without := func(set uint) int {
			held := slices.Clone(total)
			for i := range list {
				if set>>i&1 == 1 {
					for _, s := range list[i].Counts {
						held[s.Zone] -= s.Count
					}
				}
			}
			return Excess(held, minimums, n)
		}
		least := len(list)
		for set := range uint(1) << len(list) {
			if without(set) <= 0 {
				least = min(least, bits.OnesCount(set))
			}
		}
		set := uint(0)
		for _, i := range Open(list, total, minimums, n) {
			set |= 1 << i
		}
		if without(set) > 0 {
			t.Fatalf("%v with minimums %v: %b is not enough", list, minimums, set)
		}
		for i := range list {
			if set>>i&1 == 1 && without(set&^(1<<i)) <= 0 {
				t.Fatalf("%v with minimums %v: of %b, slice %d is not needed", list, minimums, set, i)
			}
		}
		more := bits.OnesCount(set) - least
		if more > 1 {
			t.Fatalf("%v with minimums %v: %b are %d more than the least", list, minimums, set, more)
		}
		by[fmt.Sprintf("least %d", least)]++
		by[fmt.Sprintf("least %d, one more", least)] += more
	}
	t.Log(by)
	if by["least 3"] < 500 {
		t.Error("the draw tests too little")
	}
}

// TestOpenAtItsWorst: the greedy choice has its price, and slices can be made that show it. Slices
// 4 and 5 together hold all that the zones must give up. Slice 0 gives up more than either, and of
// what is then left slice 1 does, and so on.
func TestOpenAtItsWorst(t *testing.T) {
	a := Held{Counts: []ZoneCount{{0, 8}, {1, 4}, {2, 2}, {3, 1}}}
	list := []Held{{Counts: []ZoneCount{{0, 16}}}, {Counts: []ZoneCount{{1, 8}}}, {Counts: []ZoneCount{{2, 4}}},
		{Counts: []ZoneCount{{3, 2}}}, a, a}
	total, n := make([]int, 5), 0
	for _, h := range list {
		for _, s := range h.Counts {
			total[s.Zone] += s.Count
			n += s.Count
		}
	}
	minimums := []int{16, 8, 4, 2, 30}
	if got := Open(list, total, minimums, n); !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Errorf("slices %v are opened: PROMISES.md of hints says that four can be where two would do", got)
	}
	held := slices.Clone(minimums)
	if held[4] = 0; Excess(held, minimums, n) > 0 {
		t.Error("slices 4 and 5 would not do")
	}
}

// The reference implementations of shares use fractions, and try one number of endpoints after the
// other.

func drawWeights(t *rapid.T, most int) ([]int64, Weights) {
	list := make([]int64, rapid.IntRange(2, most).Draw(t, "zones"))
	limit := rapid.SampledFrom([]int64{3, 100, 1 << 31, MaxTotal / 32}).Draw(t, "limit")
	for z := range list {
		list[z] = rapid.Int64Range(1, limit).Draw(t, "weight")
	}
	return list, NewWeights(list)
}

// share is the zone's part of n endpoints, as a fraction.
func share(weights []int64, z, n int) *big.Rat {
	total := int64(0)
	for _, w := range weights {
		total += w
	}
	return new(big.Rat).Mul(big.NewRat(weights[z], total), big.NewRat(int64(n), 1))
}

func ceil(r *big.Rat) int64 {
	up := new(big.Int).Sub(r.Denom(), big.NewInt(1))
	return new(big.Int).Div(up.Add(up, r.Num()), r.Denom()).Int64()
}

// TestMinimumIsExact: for weights that add up to 2^40 and eight million endpoints.
func TestMinimumIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, w := drawWeights(t, 20)
		n := rapid.SampledFrom([]int{1, 7, 1000, 999983, 1 << 23}).Draw(t, "n")
		percent := rapid.SampledFrom([]int{0, 10, 20, 30, 10000}).Draw(t, "percent")
		for z := range list {
			if got, want := w.Minimum(z, n,
				percent), ceil(share(list, z, n).Mul(share(list, z, n),
				big.NewRat(100, int64(100+percent)))); int64(got) != want {
				t.Fatalf("minimum of %d is %d, want %d", z, got, want)
			}
		}
	})
}
