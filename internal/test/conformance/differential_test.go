package conformance

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestDifferential gives random clusters to both sides. What the reference does with one and the same cluster differs
// from run to run, so that rapid may call a failure flaky: the message has all that there was to compare.
func TestDifferential(t *testing.T) {
	used := map[Deviation]int{}
	rapid.Check(t, func(t *rapid.T) {
		deviations, err := Compare(history(t))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range deviations {
			used[d]++
		}
	})
	checkUsed(t, used, clusterDeviations)
}

// checkUsed says how often each deviation was needed. One that explains nothing in a night is none.
func checkUsed(t *testing.T, used map[Deviation]int, can []Deviation) {
	t.Helper()
	t.Log("cases in which deviations explain a difference:", used)
	for _, d := range can {
		if used[d] == 0 && cases >= 50_000 {
			t.Errorf("%s explains nothing in %d cases", d, cases)
		}
	}
	for d := range used {
		if !slices.Contains(can, d) {
			t.Errorf("%s should explain nothing here", d)
		}
	}
}
