package conformance

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// TestDifferential gives random clusters to both sides. What the reference does with one and the same cluster differs
// from run to run, so that rapid may call a failure flaky: the message has all that there was to compare.
func TestDifferential(t *testing.T) {
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

// TestRoll lets a world roll and checks what must hold for slicewright whatever happens: it moves nobody and leaves
// nobody out between two writes. Compact leaves fewer slices.
func TestRoll(t *testing.T) {
	tallies, err := Roll(1, 500, 60, small(ByReference), small(BySlicewright), small(Recommended))
	if err != nil {
		t.Fatal(err)
	}
	ref, ours, compact := tallies[0], tallies[1], tallies[2]
	t.Logf("\n%+v\n%+v\n%+v", ref, ours, compact)
	if ours.Moved+ours.Gone > 0 {
		t.Errorf("the reference: %+v\nslicewright: %+v", ref, ours)
	}
	if compact.Slices > ours.Slices || compact.Gone > 0 {
		t.Errorf("slicewright: %+v\nas recommended: %+v", ours, compact)
	}
}

// small gives slices a maximum that makes many of few Pods.
func small(side Side) Side {
	return func(c *Cluster) ([]Write, error) {
		c.Max = 8
		return side(c)
	}
}

// cases is how many random cases a test tries. The environment variable SLICEWRIGHT_CASES has another
// number, for the night.
var cases = 5000

func TestMain(m *testing.M) {
	flag.Parse()
	if s := os.Getenv("SLICEWRIGHT_CASES"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			fmt.Fprintf(os.Stderr, "SLICEWRIGHT_CASES=%s: give a number of random cases, 1 or more\n", s)
			os.Exit(2)
		}
		cases = n
	}
	set := false
	flag.Visit(func(f *flag.Flag) { set = set || f.Name == "rapid.checks" })
	if !set {
		if err := flag.Set("rapid.checks", strconv.Itoa(cases)); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
