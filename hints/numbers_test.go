package hints_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/hints"
)

// maxZone is a weight that fits into the sum beside as many others as tests draw.
const maxZone = 1 << 45

// drawWeights draws up to most zones with weights of every size there may be.
func drawWeights(t *rapid.T, most int) hints.Weights {
	w := hints.Weights{Zones: map[string]int64{}}
	zones := rapid.IntRange(2, most).Draw(t, "zones")
	limit := rapid.SampledFrom([]int64{3, 100, 1 << 31, maxZone}).Draw(t, "limit")
	for z := range zones {
		w.Zones[string(rune('a'+z))] = rapid.Int64Range(1, limit).Draw(t, "weight")
	}
	return w
}

// P3: exact for weights that add up to 2^50 and a million endpoints.
func TestMinimumIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWeights(t, 20)
		n := rapid.SampledFrom([]int{0, 1, 7, 1000, 999983, 1000000}).Draw(t, "n")
		percent := rapid.SampledFrom([]int{0, 10, 20, 30, 10000}).Draw(t, "percent")
		for zone := range w.Zones {
			if got, want := hints.Minimum(w, zone, n, percent), oracleMinimum(w.Zones, zone, n, percent); got != want {
				t.Fatalf("minimum of %s is %d, want %d", zone, got, want)
			}
		}
	})
}

// P4: feasible exactly when the best reachable overload is at or below the threshold; a higher threshold is never
// harder; and from n*T >= (Z-1)*(100+T) on everything is feasible.
func TestFeasible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWeights(t, 6)
		n := rapid.IntRange(len(w.Zones), 80).Draw(t, "n")
		percent := rapid.IntRange(0, 120).Draw(t, "percent")
		feasible := hints.Feasible(w, n, percent)
		if below := hints.Best(w, n) <= hints.Overload(100*percent); feasible != below {
			t.Fatalf("feasible is %v, the best overload is %v", feasible, hints.Best(w, n))
		}
		if feasible && !hints.Feasible(w, n, percent+1) {
			t.Fatal("feasible, and not with a higher threshold")
		}
		if n*percent >= (len(w.Zones)-1)*(100+percent) && !feasible {
			t.Fatal("not feasible although there are enough endpoints for any weights")
		}
		if percent > 0 {
			want := n + 1
			for !hints.Feasible(w, want, percent) {
				want++
			}
			if got := hints.Next(w, n, percent); got != want {
				t.Fatalf("the next feasible number is %d, want %d", got, want)
			}
		}
	})
}

// The search for the next number is cut off where it would be long; what it then says is enough for any weights.
func TestNextIsBounded(t *testing.T) {
	w := hints.Weights{Zones: map[string]int64{}}
	for z := range 2000 {
		w.Zones[strings.Repeat("z", 1+z%60)+string(rune(0x100+z))] = 1
	}
	got := hints.Next(w, 2021, 1)
	if want := 1999 * 101; got != want || !hints.Feasible(w, got, 1) {
		t.Errorf("the next number for 2000 zones at 1%% is %d, want %d", got, want)
	}
	if got := hints.Next(w, 2021, 0); got != 0 {
		t.Errorf("with a threshold of 0 there is no number, got %d", got)
	}
}

// The flow equals the smallest cut, found by trying every cut.
func TestFlowIsMaximal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(2, 7).Draw(t, "nodes")
		var links [][3]int
		for range rapid.IntRange(0, 14).Draw(t, "links") {
			links = append(links, [3]int{rapid.IntRange(0, nodes-1).Draw(t, "from"),
				rapid.IntRange(0, nodes-1).Draw(t, "to"), rapid.IntRange(0, 5).Draw(t, "room")})
		}
		least := -1
		for side := range 1 << nodes {
			if side&1 == 0 || side&2 != 0 { // the source is inside, the sink is not
				continue
			}
			cut := 0
			for _, l := range links {
				if side>>l[0]&1 == 1 && side>>l[1]&1 == 0 {
					cut += l[2]
				}
			}
			if least < 0 || cut < least {
				least = cut
			}
		}
		if got := hints.MaxFlow(nodes, 0, 1, links); got != least {
			t.Fatalf("flow %d, smallest cut %d", got, least)
		}
	})
}

// The quick checks of names say what apimachinery's say.
func TestNamesAreCheckedAsTheAPIServerDoes(t *testing.T) {
	letters := []rune("abzAZ09-_./ é@[`{:") // the first, the last, and what is beside them
	r := rand.New(rand.NewPCG(3, 4))
	names := []string{"", strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 253), strings.Repeat("a", 254), "a.b", "a..b", "a-.b", "a.-b", "-a", "a-", "a.", ".a"}
	for range 20000 {
		var name []rune
		for range 1 + r.IntN(6) {
			name = append(name, letters[r.IntN(len(letters))])
		}
		names = append(names, string(name))
	}
	good := 0
	for _, name := range slices.Compact(names) {
		if got, want := hints.ValidZone(name), name != "" && len(validation.IsValidLabelValue(name)) == 0; got != want {
			t.Errorf("zone %q: %v, want %v", name, got, want)
		}
		got, want := hints.ValidNode(name), len(validation.IsDNS1123Subdomain(name)) == 0
		if got != want {
			t.Errorf("node %q: %v, want %v", name, got, want)
		}
		if want {
			good++
		}
	}
	if good < 100 {
		t.Errorf("only %d of the names are valid", good)
	}
}
