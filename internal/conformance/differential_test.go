package conformance

import (
	"testing"

	"pgregory.net/rapid"
)

// TestDifferential gives random clusters to both sides.
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
	t.Log("cases in which deviations explain a difference:", used)
}
