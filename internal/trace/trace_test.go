package trace

import (
	"fmt"
	"slices"
	"testing"
)

// TestTracesAreConsistent: Pods that were not there do not go or change, none is named twice in a
// round, and none comes again after it has gone. The trace follows from the seed.
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

// TestCrashLeavesOneInFifty: after each release, a crash leaves one Pod in fifty, and at least one.
func TestCrashLeavesOneInFifty(t *testing.T) {
	for size, want := range map[int]int{10: 1, 99: 1, 100: 2, 250: 5} {
		f := newFleet(size, 1)
		crash(f)
		there, before, crashes := 0, 0, 0
		started := map[int]bool{}
		for _, r := range f.rounds {
			for _, n := range append(r.Ready, r.Unready...) {
				if !started[n] {
					started[n] = true
					there++
				}
			}
			before, there = there, there-len(r.Gone)
			if before >= size && there < size/2 {
				if crashes++; there != want {
					t.Errorf("%d Pods: %d are left, want %d", size, there, want)
				}
			}
		}
		if crashes != 2 {
			t.Errorf("%d Pods: %d crashes, want 2", size, crashes)
		}
	}
}
