package hints_test

import (
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/hints"
)

// TestSpread: of each zone with traffic the shares sum to the total; what is sent to a zone is at most the limit, but for one of the
// total from each client zone; and no more leaves its zone than must: the sum of what each zone sends above what its own can take.
func TestSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) map[string]int64 {
			by := map[string]int64{}
			for _, zone := range []string{"a", "b", "c", "d"} {
				if rapid.IntRange(0, 3).Draw(t, name) > 0 {
					by[zone] = rapid.SampledFrom([]int64{-1, 0, 1, 2, 3, 7, 1 << 40}).Draw(t, zone)
				}
			}
			return by
		}
		from, to := draw("from"), draw("to")
		limit, total := rapid.SampledFrom([]int{-1, 0, 20, 100}).Draw(t, "limit"), rapid.SampledFrom([]int{1, 7, 100, 10000}).Draw(t, "total")
		got := hints.Spread(from, to, limit, total)
		sent, capacity := 0.0, 0.0
		for _, zone := range []string{"a", "b", "c", "d"} {
			sent, capacity = sent+max(0, float64(from[zone])), capacity+max(0, float64(to[zone]))
		}
		if sent == 0 || capacity == 0 {
			if got != nil {
				t.Fatalf("%v, although there is nothing", got)
			}
			return
		}
		across, least := 0.0, 0.0
		taken := map[string]float64{}
		for _, zone := range []string{"a", "b", "c", "d"} {
			shares, w := got[zone], float64(from[zone])/sent
			if (shares != nil) != (w > 0) {
				t.Fatalf("zone %s sends %d, and gets %v", zone, from[zone], shares)
			}
			if w <= 0 {
				continue
			}
			sum := 0
			for to, n := range shares {
				if sum += n; n <= 0 {
					t.Fatalf("a share of %d", n)
				}
				if taken[to] += w * float64(n) / float64(total); to != zone {
					across += w * float64(n) / float64(total)
				}
			}
			if sum != total {
				t.Fatalf("the shares of %s sum to %d, want %d", zone, sum, total)
			}
			least += max(0, w-float64(100+max(limit, 0))/100*max(0, float64(to[zone]))/capacity)
		}
		step := 1/float64(total) + 1e-9
		if across > least+step*3 || across < least-step {
			t.Fatalf("%.4f leaves its zone, want %.4f: %v", across, least, got)
		}
		for zone, load := range taken {
			if most := float64(100+max(limit, 0)) / 100 * float64(to[zone]) / capacity; load > most+step {
				t.Fatalf("%s gets %.4f of all traffic, limit %.4f: %v", zone, load, most, got)
			}
		}
	})
}

// TestSpreadIsEnvoys: with limit 0 each share is Envoy's, by its formula: what its own zone can take stays, and the rest goes where there
// is residual capacity, in proportion to it.
func TestSpreadIsEnvoys(t *testing.T) {
	from, to := map[string]int64{"a": 5, "b": 3, "c": 2}, map[string]int64{"a": 2, "b": 4, "c": 4}
	share := func(by map[string]int64, zone string) *big.Rat { return big.NewRat(by[zone], 10) }
	residual, sum := map[string]*big.Rat{}, new(big.Rat)
	for zone := range to {
		if residual[zone] = new(big.Rat).Sub(share(to, zone), share(from, zone)); residual[zone].Sign() < 0 {
			residual[zone].SetInt64(0)
		}
		sum.Add(sum, residual[zone])
	}
	got := hints.Spread(from, to, 0, 3000)
	for client := range from {
		local := new(big.Rat).Quo(share(to, client), share(from, client))
		if local.Cmp(big.NewRat(1, 1)) > 0 {
			local.SetInt64(1)
		}
		for zone := range to {
			want := new(big.Rat).Set(local)
			if zone != client {
				want.Mul(new(big.Rat).Sub(big.NewRat(1, 1), local), new(big.Rat).Quo(residual[zone], sum))
			}
			if want.Mul(want, big.NewRat(3000, 1)); want.Cmp(big.NewRat(int64(got[client][zone]), 1)) != 0 {
				t.Errorf("of %s for %s: %d, want %s", client, zone, got[client][zone], want.FloatString(2))
			}
		}
	}
}

// Half of the traffic is in zone a, where one of five endpoints is.
func ExampleSpread() {
	traffic, endpoints := map[string]int64{"a": 2, "b": 1, "c": 1}, map[string]int64{"a": 1, "b": 2, "c": 2}
	shares := hints.Spread(traffic, endpoints, 50, 100)
	fmt.Println(shares["a"], shares["b"], shares["c"])
	// Output:
	// map[a:60 b:20 c:20] map[b:100] map[c:100]
}
