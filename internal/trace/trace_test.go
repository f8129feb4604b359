package trace

import (
	"fmt"
	"slices"
	"testing"
)

// TestTracesAreConsistent: Pods that were not there do not go or change, none is named twice in a round, and none comes
// again after it has gone. The trace follows from the seed.
func TestTracesAreConsistent(t *testing.T) {
	for _, m := range Makers {
		made := map[string]bool{}
		for _, seed := range []int64{1, 2, 3, 1} {
			trace := m.Make(90, seed)
			made[fmt.Sprint(trace)] = true
			there, gone := map[int]bool{}, map[int]bool{}
			for i, r := range trace.Rounds {
				now := map[int]bool{}
				for _, n := range slices.Concat(r.Ready, r.Unready, r.Gone) {
					if now[n] || gone[n] {
						t.Fatalf("%s, round %d: Pod %d is there twice or again", m.Name, i, n)
					}
					now[n] = true
				}
				for _, n := range append(r.Ready, r.Unready...) {
					there[n] = true
				}
				for _, n := range r.Gone {
					if !there[n] {
						t.Fatalf("%s, round %d: Pod %d goes before it came", m.Name, i, n)
					}
					delete(there, n)
					gone[n] = true
				}
			}
		}
		if len(made) != 3 {
			t.Errorf("%s: %d traces of three seeds", m.Name, len(made))
		}
	}
}

// TestRollingUpdateKeepsItsBounds: as a Deployment, it never has fewer Pods available than maxUnavailable allows, nor more
// together than maxSurge does, those that end not counted.
func TestRollingUpdateKeepsItsBounds(t *testing.T) {
	for n, bounds := range map[int][2]int{1: {0, 1}, 42: {10, 11}} {
		f := newFleet(n, 1)
		for range 3 {
			f.roll(5)
		}
		unavailable, surge := bounds[0], bounds[1]
		available, starting := map[int]bool{}, map[int]bool{}
		most, least := 0, n
		for i, r := range f.rounds {
			for _, pod := range r.Unready {
				if available[pod] { // it ends
					delete(available, pod)
				} else {
					starting[pod] = true
				}
			}
			for _, pod := range r.Ready {
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
