package hinting_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/routing"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/hinting"
	"github.com/slicewright/slicewright/internal/test/check"
)

// drawConfig draws valid configurations of a mode.
func drawConfig(t *rapid.T, mode string) hinting.Options {
	c := hinting.Options{Mode: mode, Weights: drawWeights(t, rapid.SampledFrom([]int{5, 5, 12}).Draw(t, "most zones"))}
	c.Steady = rapid.Bool().Draw(t, "steady")
	switch rapid.IntRange(0, 30).Draw(t, "odd weights") {
	case 0:
		c.Weights.Missing = []string{"n1"}
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
	if err := check.Hints(c, in, changes, d); err != nil {
		t.Fatalf("%v\n%s\n%v", err, printSlices(in), d)
	}
	if err := check.StableHints(c, in); err != nil {
		t.Fatalf("%v\n%s", err, printSlices(in))
	}
	return changes, d
}

// H1 to H7 in the mode that has most to get wrong.
func TestGuaranteesOfAuto(t *testing.T) { rapid.Check(t, autoHolds) }

// FuzzAuto is the same property, for go test -fuzz.
func FuzzAuto(f *testing.F) { f.Fuzz(rapid.MakeFuzz(autoHolds)) }

func autoHolds(t *rapid.T) {
	c, in := drawConfig(t, hinting.Auto), drawSlices(t)
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
	out := check.WithHints(in, changes)
	var endpoints []dedup.Endpoint
	for i := range out {
		for k := range out[i].Endpoints {
			endpoints = append(endpoints, ipv4(&out[i].Endpoints[k]))
		}
	}
	ready := 0
	for _, e := range endpoints {
		if e.Conditions.Ready {
			ready++
		}
	}
	elsewhere := hinting.Zone{Zone: "elsewhere", Hinted: ready}
	for _, z := range append(slices.Clone(d.Zones), elsewhere) {
		want := z.Hinted
		if !d.On {
			want = ready
		}
		if got := routing.Route(endpoints, routing.Location{Zone: z.Zone}, routing.Policy{}); len(got) != want {
			t.Fatalf("a reader in zone %q uses %d endpoints, want %d\n%v", z.Zone, len(got), want, d)
		}
	}
}

// H1, H5 and H6 in the other modes; own hints depend on nothing but ready, zone and node.
func TestGuaranteesOfOtherModes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mode := rapid.SampledFrom([]string{hinting.None, hinting.Given, hinting.Keep, hinting.PreferSameZone,
			hinting.PreferSameNode}).Draw(t, "mode")
		c, in := drawConfig(t, mode), drawSlices(t)
		changes, _ := checkAll(t, c, in)
		if mode == hinting.Given || mode == hinting.Keep {
			return
		}
		out := check.WithHints(in, changes)
		unhinted, _ := after(in, nil)
		for i := range unhinted {
			for k := range unhinted[i].Endpoints {
				unhinted[i].Endpoints[k].Hints = nil
			}
		}
		again, _, _ := hinting.Assign(c, unhinted)
		if fresh := check.WithHints(unhinted, again); printSlices(fresh) != printSlices(out) {
			t.Fatalf("without the earlier hints %s, with them %s", printSlices(fresh), printSlices(out))
		}
	})
}

// TestGuaranteesOfLimits: SameZone with a limit, over slices in every state (N1, N3, H5, H7).
func TestGuaranteesOfLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawConfig(t, hinting.PreferSameZone)
		c.Limit = rapid.SampledFrom([]int{1, 20, 50, 100, 1000}).Draw(t, "limit")
		in := drawSlices(t)
		changes, _ := checkAll(t, c, in)
		turned := check.WithHints(in, changes)
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

// ipv4 returns what a reader sees of an endpoint.
func ipv4(e *discoveryv1.Endpoint) dedup.Endpoint {
	address, _ := endpoint.Addr(e.Addresses[0])
	return dedup.Endpoint{Address: address, Zone: endpoint.Text(e.Zone), Hints: e.Hints,
		Conditions: conditions.Of(e.Conditions)}
}
