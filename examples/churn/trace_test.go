package main

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/slicewright/slicewright/examples/internal/stories"
	"github.com/slicewright/slicewright/slicer"
)

func configured(t *testing.T, args ...string) config {
	t.Helper()
	c, err := parseFlags(args, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestTracesAreConsistent: Pods that were not there do not go or change, none is named twice in a round, and none comes
// again after it has gone. The trace follows from the seed.
func TestTracesAreConsistent(t *testing.T) {
	for _, m := range makers {
		made := map[string]bool{}
		for _, seed := range []string{"1", "2", "3", "1"} {
			trace := configured(t, "-endpoints", "90", "-seed", seed).make(m)
			made[fmt.Sprint(trace)] = true
			there, gone := map[int]bool{}, map[int]bool{}
			for i, r := range trace.rounds {
				now := map[int]bool{}
				for _, n := range slices.Concat(r.ready, r.unready, r.gone) {
					if now[n] || gone[n] {
						t.Fatalf("%s, round %d: Pod %d is there twice or again", m.name, i, n)
					}
					now[n] = true
				}
				for _, n := range append(r.ready, r.unready...) {
					there[n] = true
				}
				for _, n := range r.gone {
					if !there[n] {
						t.Fatalf("%s, round %d: Pod %d goes before it came", m.name, i, n)
					}
					delete(there, n)
					gone[n] = true
				}
			}
		}
		if len(made) != 3 {
			t.Errorf("%s: %d traces of three seeds", m.name, len(made))
		}
	}
}

// TestRollingUpdateKeepsItsBounds: as a Deployment, it never has fewer Pods available than maxUnavailable allows, nor more
// together than maxSurge does, those that end not counted.
func TestRollingUpdateKeepsItsBounds(t *testing.T) {
	for n, bounds := range map[int][2]int{1: {0, 1}, 42: {10, 11}} {
		f := newFleet(configured(t, "-endpoints", fmt.Sprint(n)))
		for range 3 {
			f.roll(5)
		}
		unavailable, surge := bounds[0], bounds[1]
		available, starting := map[int]bool{}, map[int]bool{}
		most, least := 0, n
		for i, r := range f.rounds {
			for _, pod := range r.unready {
				if available[pod] { // it ends
					delete(available, pod)
				} else {
					starting[pod] = true
				}
			}
			for _, pod := range r.ready {
				delete(starting, pod)
				available[pod] = true
			}
			most, least = max(most, len(available)+len(starting)), min(least, len(available))
			if len(available) < n-unavailable || len(available)+len(starting) > n+surge {
				t.Fatalf("%v, round %d: %d available, %d starting", bounds, i, len(available), len(starting))
			}
		}
		if most != n+surge || least > n-min(1, unavailable) {
			t.Errorf("%v: the bounds are not used: %d at most, %d at least", bounds, most, least)
		}
		for pod := range available {
			if pod < 3*n || pod >= 4*n {
				t.Errorf("%v: Pod %d is left after three updates", bounds, pod)
			}
		}
	}
}

// TestSimulationEndsWithWhatIsWanted: after every round the slices hold the Pods that are there, each once.
func TestSimulationEndsWithWhatIsWanted(t *testing.T) {
	c := configured(t, "-endpoints", "50")
	for _, m := range makers {
		for _, packing := range []slicer.Packing{slicer.InPlace, slicer.Compact} {
			cluster, there := newCluster(slicer.Options{MaxEndpointsPerSlice: 7, Packing: packing}), map[string]bool{}
			for i, r := range c.make(m).rounds {
				cluster.change(r)
				plan, err := slicer.Compute(cluster.input, cluster.slices)
				if err != nil {
					t.Fatal(err)
				}
				cluster.write(plan)
				for _, n := range append(r.ready, r.unready...) {
					there[endpoint(n).Addresses[0]] = slices.Contains(r.ready, n)
				}
				for _, n := range r.gone {
					delete(there, endpoint(n).Addresses[0])
				}
				held, endpoints := map[string]bool{}, 0
				for _, s := range cluster.slices {
					endpoints += len(s.Endpoints)
					for _, e := range s.Endpoints {
						held[e.Addresses[0]] = *e.Conditions.Ready
					}
				}
				if endpoints != len(there) || !reflect.DeepEqual(held, there) {
					t.Fatalf("%s, %v, round %d: the slices hold %v, want %v", m.name, packing, i, held, there)
				}
			}
		}
	}
}

var command stories.Command = run

func TestStories(t *testing.T) { command.Run(t, "churn", "testdata/churn/*.txt") }

func TestWritesFail(t *testing.T) { command.WritesFail(t, "-endpoints 10 -traces flapping") }
