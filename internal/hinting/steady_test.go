package hinting_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/routing"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/hinting"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// costs is what steps cost, added up: hints of staying endpoints that change, slices that are
// written for hints alone, traffic across zones, and the load of the busiest endpoint above the
// mean; worst is the highest load.
type costs struct{ changed, opened, across, busiest, worst int }

// forecast adds up what a step of a fleet cost, for clients that send as the weights say.
func (c *costs) forecast(t *testing.T, f *fleet, changed int, weights map[string]int64) {
	var all []dedup.Endpoint
	for i := range f.in {
		for k := range f.in[i].Endpoints {
			all = append(all, ipv4(&f.in[i].Endpoints[k]))
		}
	}
	var from []routing.Source
	for zone, weight := range weights {
		from = append(from, routing.Source{Location: routing.Location{Zone: zone}, Weight: weight})
	}
	load, err := routing.Forecast(all, from, routing.Policy{})
	if err != nil || len(load.Dropped) > 0 {
		t.Fatal(err, load)
	}
	busiest := int(math.Ceil(slices.Max(load.Endpoints)*10000-1e-6)) - 10000
	c.changed, c.opened = c.changed+changed, c.opened+f.opened
	c.across, c.busiest, c.worst = c.across+int(load.CrossZone*10000), c.busiest+busiest, max(c.worst, busiest)
	if limit := f.options.Limit; limit > 0 && busiest > 100*(limit+10) {
		t.Fatalf("the busiest endpoint is %d hundredths above the mean, limit %d%%: %v", busiest, limit, f.last)
	}
}

func ipv4(e *discoveryv1.Endpoint) dedup.Endpoint {
	address, _ := endpoint.Addr(e.Addresses[0])
	return dedup.Endpoint{Address: address, Zone: endpoint.Text(e.Zone), Hints: e.Hints,
		Conditions: conditions.Of(e.Conditions)}
}

// TestSteadiness measures what hints with a limit cost while Pods come and go: with -v it prints a
// row for each way to decide hints, so that one sees where a limit is worse. What it checks is that
// no endpoint is ever above the limit and its margin. A walk is forty steps, each with a Pod more
// or one fewer, in any zone; in a rolling update each step takes a Pod away and starts one in its
// zone. Each row is the mean of SLICEWRIGHT_CASES test cases.
func TestSteadiness(t *testing.T) {
	nightly.Slow(t)
	worlds := nightly.Cases(t, 1)
	for _, zones := range []int{2, 3, 6} {
		for _, size := range []int{2, 6, 30, 300} {
			for _, limit := range []int{20, 50, 100} {
				steadiness(t, zones, size, worlds, fmt.Sprintf("limit %d%%", limit),
					hinting.Options{Mode: hinting.PreferSameZone, Limit: limit})
			}
			steadiness(t, zones, size, worlds, "same zone", hinting.Options{Mode: hinting.PreferSameZone})
			steadiness(t, zones, size, worlds, "no hints", hinting.Options{})
			steadiness(t, zones, size, worlds, "topology mode", hinting.Options{Mode: hinting.Auto})
		}
	}
}

func steadiness(t *testing.T, zones, size, worlds int, name string, o hinting.Options) {
	const steps = 40
	for _, rolling := range []bool{false, true} {
		var sum costs
		for world := range worlds {
			r, weights := rand.New(rand.NewPCG(uint64(zones*1000+size), uint64(world))), map[string]int64{}
			letters := []string{"a", "b", "c", "d", "e", "f"}[:zones]
			for _, zone := range letters {
				weights[zone] = 1 + r.Int64N(8)
			}
			if o.Mode != hinting.Given && (o.Mode != hinting.PreferSameZone || o.Limit > 0) {
				o.Weights.Zones = weights
			}
			f := &fleet{options: o, perSlice: 20}
			for range size {
				f.add(letters[r.IntN(zones)])
			}
			f.step(t)
			for range steps {
				switch away, zone := r.IntN(f.size()), letters[r.IntN(zones)]; {
				case rolling:
					f.add(f.remove(away))
				case r.IntN(2) == 0 && f.size() > 1:
					f.remove(away)
				default:
					f.add(zone)
				}
				sum.forecast(t, f, f.step(t), weights)
			}
		}
		kind, n := map[bool]string{false: "walk", true: "rolling update"}[rolling], steps*worlds
		t.Logf("%d zones, %3d endpoints, %-14s %-13s %.2f hints of staying endpoints change and %.3f slices are "+
			"opened a step, "+
			"%2d%% across zones, the busiest %+d%% (worst %+d%%)", zones, size, kind, name,
			float64(sum.changed)/float64(n), float64(sum.opened)/float64(n), sum.across/n/100, sum.busiest/n/100,
			sum.worst/100)
	}
}
