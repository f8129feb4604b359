package hints_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// H4 in cases of up to eight clean slices, too large to try every allocation: every set of clean slices is opened in turn, by
// marking them as written, and none that does is smaller by more than one slice than the one that Assign chooses. That as few
// endpoints as possible are lent for one set is what the other oracles show. SLICEWRIGHT_CASES says how many cases are drawn, 250 without it.
func TestOracleOnSetsOfSlices(t *testing.T) {
	cases := nightly.Cases(t, shorter(250, 80))
	r := rand.New(rand.NewPCG(3, uint64(nightly.Seed(t, 4))))
	more := 0
	opened := map[int]int{} // cases by the number of slices that must be opened
	for range cases {
		c, in := drawOpening(r)
		o := newOracle(c, in)
		best, found := verdict{}, false
		for set := range 1 << len(in) {
			some := slices.Clone(in)
			for i := range some {
				some[i].Written = some[i].Written || set>>i&1 == 1
			}
			if v, ok := verdictOf(t, o, c, in, some); ok && (!found || v.less(best)) {
				best, found = v, true
			}
		}
		got, _ := verdictOf(t, o, c, in, in)
		if got.opened > best.opened {
			more++
		}
		if got.on != found || found && got.opened > best.opened+1 {
			_, d, _ := hints.Assign(c, in)
			t.Fatalf("%s\nweights %v, thresholds %v\ngot  %+v\nwant %+v\n%v", printSlices(in), c.Weights.Zones, c.Thresholds, got, best, d)
		}
		opened[got.opened]++
	}
	t.Logf("%d of %d cases open a slice more than the least; %v by opened slices", more, cases, opened)
	if opened[1] < cases/20 || opened[2] < cases/20 || opened[3] < cases/100 {
		t.Errorf("cases by opened slices: %v: the draw tests too little", opened)
	}
}

// verdictOf judges what Assign makes of some slices against the marks of all; false if it opens a slice that is not marked
// in some.
func verdictOf(t failer, o *oracle, c hints.Options, all, some []hints.Slice) (verdict, bool) {
	t.Helper()
	changes, d, err := hints.Assign(c, some)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if !d.On {
		return verdict{}, false
	}
	out, _ := after(all, changes)
	var to []int
	for i := range out {
		for k := range out[i].Endpoints {
			to = append(to, slices.Index(o.zones, out[i].Endpoints[k].Hints.ForZones[0].Name))
		}
	}
	v, _ := o.judge(to)
	same := &all[0] == &some[0]
	return v, same || d.Opened == 0
}

// drawOpening draws clean slices whose hints were right for other weights. All thresholds are equal, so that a slice more
// that is written never turns the aim into another one.
func drawOpening(r *rand.Rand) (hints.Options, []hints.Slice) {
	c := hints.Options{Mode: hints.Proportional, Weights: hints.Weights{Zones: map[string]int64{}}}
	zones := []string{"a", "b", "c"}[:2+r.IntN(2)]
	for _, zone := range zones {
		c.Weights.Zones[zone] = 1 + r.Int64N(6)
	}
	percent := []int{5, 10, 20, 40}[r.IntN(4)]
	c.Thresholds = hints.Thresholds{Aim: percent, Start: percent, Stop: percent}
	text := ""
	for i := range 3 + r.IntN(6) {
		if i > 0 {
			text += " | "
		}
		favourite := zones[r.IntN(len(zones))]
		for range 1 + r.IntN(5) {
			hint := favourite
			if r.IntN(3) == 0 {
				hint = zones[r.IntN(len(zones))]
			}
			home := hint
			if r.IntN(4) == 0 {
				home = append(zones, "x")[r.IntN(len(zones)+1)]
			}
			text += fmt.Sprintf(" %s>%s", home, hint)
		}
	}
	return c, mustSlices(text)
}
