package hinting_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/internal/hinting"
	"github.com/slicewright/slicewright/internal/test/check"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// TestAgainBesideNewEndpoints (H5): with a limit, a second call changes nothing if the first one
// hinted new endpoints, some of them without a zone. The slices may still count as written in the
// second call.
func TestAgainBesideNewEndpoints(t *testing.T) {
	seed := nightly.Seed(t, 3)
	weights := map[string]int64{"b": 6, "c": 5, "d": 7}
	again(t, hinting.Options{Mode: hinting.PreferSameZone, Limit: 1000, Weights: hinting.Weights{Zones: weights}},
		"b | *b>b,c,d | d>b,d | _")
	for n := range nightly.Cases(t, 500) {
		r := rand.New(rand.NewPCG(uint64(seed), uint64(n)))
		o := hinting.Options{Mode: hinting.PreferSameZone, Limit: []int{1, 20, 50, 1000}[r.IntN(4)]}
		o.Weights.Zones = map[string]int64{}
		for z := range 1 + r.IntN(4) {
			o.Weights.Zones[string(rune('a'+z))] = 1 + r.Int64N(8)
		}
		again(t, o, drawHinted(r, len(o.Weights.Zones)))
	}
}

// again assigns the hints of slices twice.
func again(t *testing.T, o hinting.Options, text string) {
	t.Helper()
	in, err := parseSlices(text)
	if err != nil {
		t.Fatal(err)
	}
	changes, _ := checkAll(t, o, in)
	after := check.WithHints(in, changes)
	for i := range after {
		after[i].Written = in[i].Written
	}
	if changes, _, _ := hinting.Assign(o, after); len(changes) > 0 {
		t.Fatalf("a second call changes %v in %s after %s\n%+v", changes, printSlices(after), text, o)
	}
}

// drawHinted draws four slices, each written or not, whose endpoints have no hints or some that may
// stay.
func drawHinted(r *rand.Rand, zones int) string {
	var parts [4]strings.Builder
	written := r.IntN(5)
	for i := range parts {
		if i == written {
			parts[i].WriteString("*")
		}
	}
	for range 2 + r.IntN(18) {
		part, home := &parts[r.IntN(4)], r.IntN(zones)
		own := string(rune('a' + home))
		if r.IntN(5) == 0 {
			own = "_"
		}
		part.WriteString(" " + own)
		if r.IntN(6) == 0 {
			continue // new
		}
		fmt.Fprintf(part, ">%c", 'a'+home)
		for z := range zones {
			if z != home && r.IntN(3) == 0 {
				fmt.Fprintf(part, ",%c", 'a'+z)
			}
		}
	}
	return fmt.Sprintf("%s|%s|%s|%s", parts[0].String(), parts[1].String(), parts[2].String(), parts[3].String())
}
