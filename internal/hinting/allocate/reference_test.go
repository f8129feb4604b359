package allocate

import (
	"cmp"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// one is an endpoint of the reference implementation of Deal; to is the zone that it gets, Nowhere
// while it has none.
type one struct{ class, home, prior, to int }

// dealOneByOne decides one endpoint at a time which endpoints leave their zone, and for which zone.
// Only as many endpoints leave their zone as must.
//
//  1. In the order of the classes, an endpoint with a hint for another zone stays there, while its
//     own zone may still give up an endpoint and the other zone may still take one.
//  2. Of the zones that may still give up an endpoint, the zone whose endpoints carry least gives
//     up the next: first an endpoint whose hint must change in any case, and if there is none in
//     any zone, any.
//  3. Of the zones that may still take an endpoint, the zone whose endpoints carry most takes the
//     next.
//  4. Endpoints without a zone and endpoints with a wrong hint are dealt in the order of the
//     classes, then endpoints with a right hint. The zones that take them are in their own order.
func dealOneByOne(weights []int64, classes []Class, b Bounds) [][]ZoneCount {
	zones := len(weights)
	homes, wrong := make([]int, zones), make([]int, zones)
	var all []one
	nowhere := 0
	for i, c := range classes {
		for range c.Count {
			if all = append(all, one{i, c.Home, c.Prior, Nowhere}); c.Home == Nowhere {
				nowhere++
				continue
			}
			if homes[c.Home]++; c.Home != c.Prior {
				wrong[c.Home]++
			}
		}
	}
	// What each zone may and must lend and take, and how many lend and take over all zones.
	type side struct {
		may, must, did []int
		left           int
	}
	lend, take := side{make([]int, zones), make([]int, zones), make([]int, zones), 0}, side{make([]int, zones),
		make([]int, zones), make([]int, zones), 0}
	surplus, deficit := 0, 0
	for z := range zones {
		low, high := max(0, b.Low[z]-b.Held[z]), 1<<30
		if b.High != nil {
			high = max(0, b.High[z]-b.Held[z])
		}
		lend.must[z], lend.may[z] = max(0, homes[z]-high), max(0, homes[z]-low)
		take.must[z], take.may[z] = max(0, low-homes[z]), max(0, high-homes[z])
		surplus, deficit = surplus+lend.must[z], deficit+take.must[z]
	}
	lend.left = max(surplus, deficit-nowhere)
	take.left = lend.left + nowhere
	// The zones that must lend or take count first: one more does so only where that leaves enough
	// for the others.
	can := func(s *side, z int) bool {
		open := 0
		for y := range zones {
			open += max(0, s.must[y]-s.did[y])
		}
		return s.did[z] < s.must[z] || s.did[z] < s.may[z] && open < s.left
	}
	do := func(s *side, z int) { s.did[z]++; s.left-- }
	for i := range all {
		e := &all[i]
		if e.prior == Nowhere || e.prior == e.home || !can(&take, e.prior) || e.home != Nowhere && !can(&lend, e.home) {
			continue
		}
		e.to = e.prior
		if do(&take, e.prior); e.home != Nowhere {
			do(&lend, e.home)
			wrong[e.home]--
		}
	}
	load := func(z int) *big.Rat { // of an endpoint of the zone, counting what must come and go; nil: infinite
		count := b.Held[z] + homes[z] + max(take.must[z], take.did[z]) - max(lend.must[z], lend.did[z])
		if count == 0 {
			return nil
		}
		return big.NewRat(weights[z], int64(count))
	}
	more := func(x, y int) int {
		switch a, b := load(x), load(y); {
		case a == nil && b == nil:
			return cmp.Compare(weights[x], weights[y])
		case a == nil:
			return +1
		case b == nil:
			return -1
		default:
			return a.Cmp(b)
		}
	}
	choose := func(s *side, sign int, also func(z int) bool) bool {
		for z := range zones {
			if s.did[z] < s.must[z] {
				do(s, z)
				return true
			}
		}
		best := Nowhere
		for z := range zones {
			if can(s, z) && also(z) && (best == Nowhere || sign*more(z, best) > 0) {
				best = z
			}
		}
		if best == Nowhere || s.left == 0 {
			return false
		}
		do(s, best)
		return true
	}
	kept := slices.Clone(lend.did)
	for choose(&lend, -1, func(z int) bool { return lend.did[z]-kept[z] < wrong[z] }) {
	}
	for choose(&lend, -1, func(int) bool { return true }) {
	}
	for choose(&take, +1, func(int) bool { return true }) {
	}
	for _, e := range all { // hints that are kept count already
		if e.to != Nowhere {
			if take.did[e.to]--; e.home != Nowhere {
				lend.did[e.home]--
			}
		}
	}
	for _, right := range []bool{false, true} {
		for i := range all {
			e := &all[i]
			if e.to != Nowhere || (e.home == e.prior && e.home != Nowhere) != right ||
				e.home != Nowhere && lend.did[e.home] == 0 {
				continue
			}
			if e.home != Nowhere {
				lend.did[e.home]--
			}
			e.to = slices.IndexFunc(take.did, func(n int) bool { return n > 0 })
			take.did[e.to]--
		}
	}
	counts := make([][]ZoneCount, len(classes))
	for _, e := range all {
		counts[e.class] = append(counts[e.class], ZoneCount{e.to, 1})
		if e.to == Nowhere {
			counts[e.class][len(counts[e.class])-1].Zone = e.home
		}
	}
	return counts
}

// byZone adds up the shares of each class.
func byZone(dealt [][]ZoneCount, zones int) [][]int {
	sums := make([][]int, len(dealt))
	for i, shares := range dealt {
		sums[i] = make([]int, zones)
		for _, s := range shares {
			sums[i][s.Zone] += s.Count
		}
	}
	return sums
}

// drawDeal draws classes in order, and bounds that leave room for all.
func drawDeal(r *rand.Rand, zones, most int) (classes []Class, b Bounds) {
	n := 0
	for home := Nowhere; home < zones; home++ {
		for prior := Nowhere; prior < zones; prior++ {
			if c := r.IntN(most); c > 0 && r.IntN(3) == 0 {
				classes, n = append(classes, Class{home, prior, c}), n+c
			}
		}
	}
	b = Bounds{Held: make([]int, zones), Low: make([]int, zones)}
	for z := range b.Held {
		b.Held[z] = r.IntN(2) * r.IntN(most)
		n += b.Held[z]
	}
	for range r.IntN(n + 1) {
		z := r.IntN(zones)
		if b.Low[z]++; Excess(b.Held, b.Low, n) > 0 {
			b.Low[z]--
		}
	}
	if r.IntN(2) == 0 {
		b.High = make([]int, zones)
		for z := range b.High {
			b.High[z] = b.Low[z] + r.IntN(2)*r.IntN(most)
		}
		for sum := 0; sum < n; { // so that there is room for all
			b.High[r.IntN(zones)]++
			sum = 0
			for z, high := range b.High {
				sum += max(high, b.Held[z])
			}
		}
	}
	return classes, b
}

// TestDealOneByOne: each class gets what it gets one by one.
func TestDealOneByOne(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 10000 {
		zones := 2 + r.IntN(4)
		classes, b := drawDeal(r, zones, 2+r.IntN(9))
		list := make([]int64, zones)
		for z := range list {
			list[z] = 1 + r.Int64N([]int64{1, 4, 1 << 31}[r.IntN(3)])
		}
		w := NewWeights(list)
		got, want := byZone(Deal(&w, classes, b), zones), byZone(dealOneByOne(list, classes, b), zones)
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("weights %v, classes %v, %+v:\ngot  %v\nwant %v", list, classes, b, got, want)
		}
	}
}
