package hinting_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/hinting"
	"github.com/slicewright/slicewright/hints/routing"
	check "github.com/slicewright/slicewright/internal/test/check/hints"
)

// drawConfig draws valid configurations of a mode.
func drawConfig(t *rapid.T, mode hinting.Mode) hinting.Options {
	c := hinting.Options{Mode: mode, Weights: drawWeights(t, rapid.SampledFrom([]int{5, 5, 12}).Draw(t, "most zones"))}
	if rapid.IntRange(0, 3).Draw(t, "thresholds") > 0 {
		c.Thresholds.Aim = rapid.IntRange(0, 40).Draw(t, "aim")
		c.Thresholds.Start = max(1, c.Thresholds.Aim+rapid.IntRange(0, 30).Draw(t, "start"))
		c.Thresholds.Stop = c.Thresholds.Start + rapid.IntRange(0, 30).Draw(t, "stop")
	}
	switch rapid.IntRange(0, 30).Draw(t, "odd weights") {
	case 0:
		c.Weights.Problems = []hinting.Problem{{Node: "n1", Reason: hinting.NodeWithoutZone}}
	case 1:
		c.Weights.Zones["b c"] = 1
	case 2:
		c.Weights.Zones = map[string]int64{"a": 1}
	case 3:
		c.Weights.Zones = nil
	}
	return c
}

// drawSlices draws slices in every state: most often such that the last run could have left them,
// else with hints of any kind.
func drawSlices(t *rapid.T) []hinting.Slice {
	regular := rapid.IntRange(0, 2).Draw(t, "regular") > 0
	var in []hinting.Slice
	number := 0
	for i := range rapid.IntRange(0, 5).Draw(t, "slices") {
		s := hinting.Slice{Name: fmt.Sprintf("s%d", i), Written: rapid.IntRange(0, 3).Draw(t, "written") == 0}
		for range rapid.IntRange(0, 12).Draw(t, "endpoints") {
			s.Endpoints = append(s.Endpoints, drawEndpoint(t, regular))
			number++
			s.Endpoints[len(s.Endpoints)-1].Addresses = []string{fmt.Sprintf("10.0.%d.%d", i, number)}
		}
		in = append(in, s)
	}
	return in
}

func drawEndpoint(t *rapid.T, regular bool) discoveryv1.Endpoint {
	zones := []string{"a", "a", "a", "b", "b", "c", "d", "e", "x"}
	homes, priors, states := zones, zones[:8], []string{"", "", "", "~"}
	if !regular {
		homes = append(slices.Clone(zones), "''", "_", "a@n1", "_@n2", "b c")
		priors = append(slices.Clone(zones), "", "", "a,b", "a@n1", "@n1")
		states = append(states, "!")
	}
	word := rapid.SampledFrom(homes).Draw(t, "home") + rapid.SampledFrom(states).Draw(t, "state")
	if prior := rapid.SampledFrom(priors).Draw(t, "prior"); prior != "" {
		word += ">" + prior
	}
	e, err := parseEndpoint(word)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func checkAll(t rapid.TB, c hinting.Options, in []hinting.Slice) ([]hinting.Change, hinting.Decision) {
	changes, d, err := hinting.Assign(c, in)
	if err != nil {
		t.Fatal(err)
	}
	if err := check.Check(c, in, changes, d); err != nil {
		t.Fatalf("%v\n%s\n%v", err, printSlices(in), d)
	}
	if err := check.Stable(c, in); err != nil {
		t.Fatalf("%v\n%s", err, printSlices(in))
	}
	return changes, d
}

// H1 to H7 in the mode that has most to get wrong.
func TestGuaranteesOfProportional(t *testing.T) { rapid.Check(t, proportionalHolds) }

// FuzzProportional is the same property, for go test -fuzz.
func FuzzProportional(f *testing.F) { f.Fuzz(rapid.MakeFuzz(proportionalHolds)) }

func proportionalHolds(t *rapid.T) {
	c, in := drawConfig(t, hinting.Proportional), drawSlices(t)
	changes, d := checkAll(t, c, in)

	// Only the ratio of the weights counts.
	scaled := c
	scaled.Weights.Zones = map[string]int64{}
	factor := int64(maxZone)
	for _, weight := range c.Weights.Zones {
		factor = min(factor, maxZone/weight)
	}
	for zone, weight := range c.Weights.Zones {
		scaled.Weights.Zones[zone] = weight * factor
	}
	if again, _, _ := hinting.Assign(scaled, in); !reflect.DeepEqual(again, changes) {
		t.Fatalf("with weights times %d the changes are %v, not %v", factor, again, changes)
	}

	// What is written for a zone is what a reader in that zone uses; elsewhere, and while hints are
	// off, it uses all ready endpoints.
	out := check.After(in, changes)
	var endpoints []*discoveryv1.Endpoint
	for i := range out {
		for k := range out[i].Endpoints {
			endpoints = append(endpoints, &out[i].Endpoints[k])
		}
	}
	elsewhere := hinting.Zone{Name: "elsewhere", Hinted: d.Allocation.Ready}
	for _, z := range append(slices.Clone(d.Allocation.Zones), elsewhere) {
		want := z.Hinted
		if !d.On {
			want = d.Allocation.Ready
		}
		if got := routing.Route(endpoints, ipv4, routing.Location{Zone: z.Name},
			routing.Policy{}).Endpoints; len(got) != want {
			t.Fatalf("a reader in zone %q uses %d endpoints, want %d\n%v", z.Name, len(got), want, d)
		}
	}

	// What was solved and not held keeps every hint when all of it is written again.
	for i := range out {
		out[i].Written = true
	}
	if again, e, _ := hinting.Assign(c, out); d.On && !d.Allocation.Held && len(again) > 0 &&
		e.Allocation.Threshold == d.Allocation.Threshold && allFree(in) {
		t.Fatalf("written again, %v changes in %s", again, printSlices(out))
	}
}

// allFree says that no clean slice kept hints from being decided anew.
func allFree(in []hinting.Slice) bool {
	return !slices.ContainsFunc(in, func(s hinting.Slice) bool { return !s.Written })
}

// H1, H5 and H6 in the other modes; own hints depend on nothing but ready, zone and node.
func TestGuaranteesOfOtherModes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mode := rapid.SampledFrom([]hinting.Mode{hinting.None, hinting.Given, hinting.Keep, hinting.SameZone,
			hinting.SameNode}).Draw(t, "mode")
		c, in := drawConfig(t, mode), drawSlices(t)
		changes, _ := checkAll(t, c, in)
		if mode == hinting.Given || mode == hinting.Keep {
			return
		}
		out := check.After(in, changes)
		unhinted, _ := after(in, nil)
		for i := range unhinted {
			for k := range unhinted[i].Endpoints {
				unhinted[i].Endpoints[k].Hints = nil
			}
		}
		again, _, _ := hinting.Assign(c, unhinted)
		if fresh := check.After(unhinted, again); printSlices(fresh) != printSlices(out) {
			t.Fatalf("without the earlier hints %s, with them %s", printSlices(fresh), printSlices(out))
		}
	})
}

// TestGuaranteesOfLimits: SameZone with a limit, over slices in every state (N1, N3, H5, H7).
func TestGuaranteesOfLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawConfig(t, hinting.SameZone)
		c.Limit = rapid.SampledFrom([]int{1, 20, 50, 100, 1000}).Draw(t, "limit")
		in := drawSlices(t)
		changes, _ := checkAll(t, c, in)
		turned := check.After(in, changes)
		for _, s := range turned {
			for _, e := range s.Endpoints {
				if e.Hints != nil {
					slices.Reverse(e.Hints.ForZones)
				}
			}
		}
		if again, _, _ := hinting.Assign(c, turned); len(again) > 0 {
			t.Fatalf("for the order of zones alone %v changes", again[0])
		}
	})
}

// NeedsSync says beforehand whether a plan with new weights would change anything, so that hints
// come back after Nodes changed (kubernetes#114215). With a limit it may say yes although nothing
// changes, and the limit may be new, too.
func TestNeedsSyncForetellsChanges(t *testing.T) {
	for _, mode := range []hinting.Mode{hinting.Proportional, hinting.SameZone} {
		seen := map[bool]int{}
		rapid.Check(t, func(t *rapid.T) { seen[needsSyncForetells(t, mode)]++ })
		if (seen[true] == 0 || seen[false] == 0) && !testing.Short() {
			t.Errorf("%s: seen %v: one answer was never tested", mode, seen)
		}
	}
}

func needsSyncForetells(t *rapid.T, mode hinting.Mode) bool {
	c, in := drawConfig(t, mode), drawSlices(t)
	if mode == hinting.SameZone {
		c.Limit = rapid.SampledFrom([]int{0, 20, 100}).Draw(t, "limit")
	}
	changes, d, err := hinting.Assign(c, in)
	if err != nil {
		t.Fatal(err)
	}
	regular := check.After(in, changes)
	if rapid.Bool().Draw(t, "other weights") {
		c.Weights = drawConfig(t, mode).Weights
	} else { // a Node more or less
		for _, z := range d.Allocation.Zones {
			c.Weights.Zones[z.Name] = max(1, z.Weight-z.Weight/8+rapid.Int64Range(0, 1+z.Weight/4).Draw(t, "nudge"))
			c.Weights.Zones[z.Name] = min(c.Weights.Zones[z.Name], maxZone)
		}
	}
	if mode == hinting.SameZone {
		c.Limit = rapid.SampledFrom([]int{c.Limit, c.Limit, 0, 50}).Draw(t, "new limit")
	}
	got := hinting.NeedsSync(d, c)
	changes, e, err := hinting.Assign(c, regular)
	if err != nil {
		t.Fatal(err)
	}
	stored := hinting.Decision{Mode: d.Mode, On: d.On, Reason: d.Reason}
	stored.Allocation.Ready, stored.Allocation.Zoneless = d.Allocation.Ready, d.Allocation.Zoneless
	stored.Allocation.Threshold = d.Allocation.Threshold
	for _, z := range slices.Backward(d.Allocation.Zones) {
		stored.Allocation.Zones = append(stored.Allocation.Zones,
			hinting.Zone{Name: z.Name, Weight: z.Weight, Hinted: z.Hinted, Overload: z.Overload})
	}
	if again := hinting.NeedsSync(stored, c); again != got {
		t.Fatalf("NeedsSync is %v, and with what a caller stores %v", got, again)
	}
	if want := len(changes) > 0; want && !got || got && !want && mode == hinting.Proportional {
		t.Fatalf("NeedsSync is %v, and %d hints change\nbefore %v\nafter %v", got, len(changes), d, e)
	}
	return got
}

// maxZone is a weight that fits into the sum beside as many others as tests draw.
const maxZone = 1 << 35

// drawWeights draws up to most zones with weights of every size there may be.
func drawWeights(t *rapid.T, most int) hinting.Weights {
	w := hinting.Weights{Zones: map[string]int64{}}
	zones := rapid.IntRange(2, most).Draw(t, "zones")
	limit := rapid.SampledFrom([]int64{3, 100, 1 << 31, maxZone}).Draw(t, "limit")
	for z := range zones {
		w.Zones[string(rune('a'+z))] = rapid.Int64Range(1, limit).Draw(t, "weight")
	}
	return w
}
