package allocate

import (
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The dumb twins: fractions for the rules of shares, every set of slices for Open, every allocation for Deal.

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

// TestMinimumIsExact (P3): for weights that add up to 2^40 and eight million endpoints.
func TestMinimumIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, w := drawWeights(t, 20)
		n := rapid.SampledFrom([]int{1, 7, 1000, 999983, 1 << 23}).Draw(t, "n")
		percent := rapid.SampledFrom([]int{0, 10, 20, 30, 10000}).Draw(t, "percent")
		x := rapid.IntRange(1, n).Draw(t, "x")
		for z := range list {
			if got, want := w.Minimum(z, n, percent), ceil(share(list, z, n).Mul(share(list, z, n), big.NewRat(100, int64(100+percent)))); int64(got) != want {
				t.Fatalf("minimum of %d is %d, want %d", z, got, want)
			}
			over := share(list, z, n)
			over.Sub(over.Mul(over, big.NewRat(1, int64(x))), big.NewRat(1, 1))
			if got, want := w.Overload(z, x, n), ceil(over.Mul(over, big.NewRat(10000, 1))); got != want {
				t.Fatalf("overload of %d is %d, want %d", z, got, want)
			}
		}
	})
}

// TestFeasible (P4): feasible exactly if the best reachable overload is at or below the threshold; a higher threshold is never
// harder; from n*T >= (Z-1)*(100+T) on everything is feasible; and Next is the next number that is.
func TestFeasible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, w := drawWeights(t, 6)
		n := rapid.IntRange(len(list), 80).Draw(t, "n")
		percent := rapid.IntRange(0, 120).Draw(t, "percent")
		feasible := w.Feasible(n, percent)
		if below := w.Best(n) <= int64(100*percent); feasible != below {
			t.Fatalf("feasible is %v, the best overload is %v", feasible, w.Best(n))
		}
		if feasible && !w.Feasible(n, percent+1) {
			t.Fatal("feasible, and not with a higher threshold")
		}
		if n*percent >= (len(list)-1)*(100+percent) && !feasible {
			t.Fatal("not feasible although there are enough endpoints for any weights")
		}
		if percent > 0 {
			want := n + 1
			for !w.Feasible(want, percent) {
				want++
			}
			if got := w.Next(n, percent); got != want {
				t.Fatalf("the next feasible number is %d, want %d", got, want)
			}
		}
	})
}

// TestNextIsBounded: the search is cut off where it would be long; what it then says is enough for any weights.
func TestNextIsBounded(t *testing.T) {
	w := NewWeights(slices.Repeat([]int64{1}, 2000))
	got := w.Next(2021, 1)
	if want := 1999 * 101; got != want || !w.Feasible(got, 1) {
		t.Errorf("the next number for 2000 zones at 1%% is %d, want %d", got, want)
	}
	w = NewWeights(slices.Repeat([]int64{1}, 256)) // 64 numbers are tried; two endpoints for each zone are the next that do
	for n, want := range map[int]int{448: 512, 447: 255 * 101} {
		if got := w.Next(n, 1); got != want {
			t.Errorf("the next number above %d for 256 zones is %d, want %d", n, got, want)
		}
	}
}

// TestOpenAgainstEverySet: what Open returns is enough, no slice of it can be left out, and it is seldom more than the least. How
// often is logged; with so few zones and slices it is never more than one.
func TestOpenAgainstEverySet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	by := map[string]int{}
	for range 20000 {
		zones, n := 2+r.IntN(4), 0
		list, total, minimums := make([]Held, 1+r.IntN(9)), make([]int, zones), make([]int, zones)
		for i := range list {
			for z := range zones {
				if c := r.IntN(6) * r.IntN(2); c > 0 {
					list[i].Shares = append(list[i].Shares, Share{z, c})
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
					for _, s := range list[i].Shares {
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

// TestDealAgainstEverything: all endpoints are dealt, within the bounds (P11), and the fewest leave their zone (P9). How often more hints
// change than must is logged.
func TestDealAgainstEverything(t *testing.T) {
	r, cases, more := rand.New(rand.NewPCG(3, 4)), 0, 0
	for range 20000 {
		zones := 2 + r.IntN(2)
		w := NewWeights([]int64{1 + r.Int64N(3), 1 + r.Int64N(3), 1 + r.Int64N(3)}[:zones])
		var classes []Class
		n := 0
		for home := Nowhere; home < zones; home++ {
			for prior := Nowhere; prior < zones; prior++ {
				if c := r.IntN(3); c > 0 && r.IntN(3) == 0 && n+c <= 7 {
					classes, n = append(classes, Class{home, prior, c}), n+c
				}
			}
		}
		b := Bounds{Held: make([]int, zones), Low: make([]int, zones)}
		for z := range b.Held {
			b.Held[z], b.Low[z] = r.IntN(3), r.IntN(4)
			n += b.Held[z]
		}
		if Excess(b.Held, b.Low, n) > 0 {
			continue
		}
		if r.IntN(2) == 0 {
			b.High = slices.Clone(b.Low)
			for sum := 0; sum < n; { // so that there is room for all
				b.High[r.IntN(zones)]++
				sum = 0
				for z, high := range b.High {
					sum += max(high, b.Held[z])
				}
			}
		}
		if len(classes) == 0 {
			continue
		}
		cases++
		lent, changed := judge(t, classes, b, Deal(&w, classes, b))
		leastLent, leastChanged := leastOf(classes, b)
		if lent != leastLent {
			t.Fatalf("%v %+v: %d leave their zone, want %d", classes, b, lent, leastLent)
		}
		if changed > leastChanged {
			more++
		}
		if leastChanged == hintless(classes) && changed > leastChanged {
			t.Fatalf("%v %+v: all hints could stay, and %d change", classes, b, changed-leastChanged)
		}
	}
	t.Logf("of %d cases, %d change more hints than the least", cases, more)
}

// hintless counts the endpoints without a hint that can stay.
func hintless(classes []Class) (n int) {
	for _, c := range classes {
		if c.Prior == Nowhere {
			n += c.Count
		}
	}
	return n
}

// judge checks an answer and counts who is out of his zone, and whose hint changes.
func judge(t *testing.T, classes []Class, b Bounds, dealt [][]Share) (lent, changed int) {
	t.Helper()
	has := slices.Clone(b.Held)
	for i, c := range classes {
		rest := c.Count
		for _, s := range dealt[i] {
			if s.Count <= 0 {
				t.Fatalf("%v: an empty share %v", c, s)
			}
			rest -= s.Count
			has[s.Zone] += s.Count
			if s.Zone != c.Home {
				lent += s.Count
			}
			if s.Zone != c.Prior {
				changed += s.Count
			}
		}
		if rest != 0 {
			t.Fatalf("%v %+v: %d of class %v are not dealt", classes, b, rest, c)
		}
	}
	for z := range has {
		if has[z] < b.Low[z] || b.High != nil && has[z] > max(b.High[z], b.Held[z]) {
			t.Fatalf("%v %+v: %v leaves the bounds", classes, b, dealt)
		}
	}
	return lent, changed
}

// leastOf tries every allocation.
func leastOf(classes []Class, b Bounds) (lent, changed int) {
	lent, changed = 1<<30, 1<<30
	var try func(class, left int, has []int, l, c int)
	try = func(class, left int, has []int, l, c int) {
		if class == len(classes) {
			for z := range has {
				if has[z] < b.Low[z] || b.High != nil && has[z] > max(b.High[z], b.Held[z]) {
					return
				}
			}
			if l < lent || l == lent && c < changed {
				lent, changed = l, c
			}
			return
		}
		if left == 0 {
			next := 0
			if class+1 < len(classes) {
				next = classes[class+1].Count
			}
			try(class+1, next, has, l, c)
			return
		}
		for z := range has {
			has[z]++
			dl, dc := 0, 0
			if z != classes[class].Home {
				dl = 1
			}
			if z != classes[class].Prior {
				dc = 1
			}
			try(class, left-1, has, l+dl, c+dc)
			has[z]--
		}
	}
	try(0, classes[0].Count, slices.Clone(b.Held), 0, 0)
	return lent, changed
}

// TestOpenAtItsWorst: the greedy choice has its price, and slices can be made that show it. Slices 4 and 5 together hold all that
// the zones must give up. Slice 0 gives up more than either, and of what is then left slice 1 does, and so on.
func TestOpenAtItsWorst(t *testing.T) {
	a := Held{Shares: []Share{{0, 8}, {1, 4}, {2, 2}, {3, 1}}}
	list := []Held{{Shares: []Share{{0, 16}}}, {Shares: []Share{{1, 8}}}, {Shares: []Share{{2, 4}}}, {Shares: []Share{{3, 2}}}, a, a}
	total, n := make([]int, 5), 0
	for _, h := range list {
		for _, s := range h.Shares {
			total[s.Zone] += s.Count
			n += s.Count
		}
	}
	minimums := []int{16, 8, 4, 2, 30}
	if got := Open(list, total, minimums, n); !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Errorf("slices %v are opened: the package comment of hints says that four can be where two would do", got)
	}
	held := slices.Clone(minimums)
	if held[4] = 0; Excess(held, minimums, n) > 0 {
		t.Error("slices 4 and 5 would not do")
	}
}
