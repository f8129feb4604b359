package conformance

import (
	"flag"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/test/nightly"
)

// TestDifferential gives random clusters to both sides. What the reference does with one and the
// same cluster differs from run to run, so that rapid may call a failure flaky: the message has all
// that there was to compare.
func TestDifferential(t *testing.T) {
	cases := nightly.Cases(t, 5000)
	if err := flag.Set("rapid.checks", strconv.Itoa(cases)); err != nil {
		t.Fatal(err)
	}
	used := map[Deviation]int{}
	rapid.Check(t, func(t *rapid.T) {
		needed, err := Compare(history(t))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range needed {
			used[d]++
		}
	})
	t.Log("cases in which deviations explain a difference:", used)
	for _, d := range deviations {
		if used[d] == 0 && cases >= 50_000 {
			t.Errorf("%s explains nothing in %d cases", d, cases)
		}
	}
}
