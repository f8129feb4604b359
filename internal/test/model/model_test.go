package model

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/internal/test/scenario"
)

// TestScenarios runs the scenarios of testdata/writes.
func TestScenarios(t *testing.T) {
	scenario.Run(t, "../../../testdata/writes/*.txt", replay, func(string) bool { return false })
}

// limit is on states: to reach it is a failure, because then something was not visited.
const limit = 12_000_000

// worlds are visited if SLICEWRIGHT_FULL is 1.
var worlds = []string{
	"pods=2 max=1 ports=1 late=1 waits upto updates deletes lost restart",
	"pods=2 max=1 ports=2 late=2 waits upto lost restart",
	"pods=3 max=2 ports=1 late=2 waits upto restart",
	"pods=3 max=2 ports=1 late=1 waits upto lost restart",
	"pods=3 max=2 ports=2 late=1 waits upto",
	"pods=3 max=2 ports=2 late=1 compact waits upto",
	"pods=2 max=1 ports=1 late=3 reorders waits updates restart",
	"pods=2 max=1 ports=2 late=1 generated waits upto lost",
	"pods=2 max=1 ports=1 late=1 dualstack waits upto",
	"pods=2 max=1 ports=2 late=1 waits upto listed",
	"pods=3 max=2 ports=1 late=1 shrinks waits upto",
}

// recorded are visited if SLICEWRIGHT_MODEL is all.
var recorded = []string{
	"pods=2 max=1 ports=1 late=2 waits upto updates deletes replaces lost restart",
	"pods=3 max=2 ports=1 late=2 waits upto lost restart",
	"pods=2 max=1 ports=1 late=2 waits upto lists",
	"pods=4 max=2 ports=1 late=1 waits upto restart",
	"pods=4 max=2 ports=1 late=2 waits upto",
	"pods=4 max=3 ports=1 late=1 shrinks waits upto",
	"pods=3 max=2 ports=1 late=1 compact waits upto lost",
	"pods=3 max=2 ports=1 late=1 byuid waits upto lost",
	"pods=3 max=2 ports=1 late=1 placeholders waits upto lost",
	"pods=3 max=2 ports=1 late=1 dying waits upto lost",
	"pods=2 max=1 ports=1 late=1 dualstack waits upto lost",
	"pods=3 max=2 ports=1 late=1 zones waits upto lost",
	"pods=3 max=2 ports=1 late=3 reorders waits updates restart",
	"pods=3 max=2 ports=1 late=2 generated waits upto lost",
	"pods=3 max=2 ports=1 late=2 reuses waits upto lost",
	"pods=3 max=2 ports=1 late=2 byuid reuses waits upto",
}

// small are visited in every run, and have few states.
var small = []string{
	"pods=2 max=2 ports=1 late=1 reuses waits upto lost",
	"pods=2 max=2 ports=1 late=1 byuid reuses waits upto",
	"pods=2 max=1 ports=1 late=1 waits lists",
}

// TestSmallWorlds checks what TestWorlds checks.
func TestSmallWorlds(t *testing.T) { visit(t, small) }

// TestWorlds: no endpoint that is always wanted is removed, the API server refuses only writes of
// slices that another client wrote, every state comes to rest, and no set waits for ever. The
// endpoints of a slice that another client deleted do not count.
func TestWorlds(t *testing.T) {
	nightly.Slow(t)
	visit(t, slices.Concat(small, worlds))
	if os.Getenv("SLICEWRIGHT_MODEL") == "all" {
		visit(t, recorded)
	}
}

func visit(t *testing.T, list []string) {
	for _, line := range list {
		t.Run(strings.ReplaceAll(line, " ", "_"), func(t *testing.T) {
			r := explore(t, line)
			own := r.Own
			if strings.Contains(line, "deletes") && strings.Contains(line, "lost") {
				// after a lost answer, and a slice that another client deleted, the owner of a name
				// is not known
				own = 0
			}
			if r.Lost+own+r.Unrest+r.Cycles > 0 {
				t.Error("a promise is broken")
				for what, trace := range r.First {
					t.Logf("== found: The shortest way to what is %s.\n\n%s", what, trace)
				}
			}
		})
	}
}

// TestWithout: without a tracker, a cache that is one write late costs endpoints. With one, the
// exceptions are the ones that the comment of publish.Syncer lists: a writer that starts with a
// late cache, a cache that is older than two live lists if its version is not known, a version of a
// cache that shows writes out of order, and a second writer. In all of them states come to rest,
// and no writes go on for ever.
func TestWithout(t *testing.T) {
	nightly.Slow(t)
	for _, c := range []struct {
		line string
		what string // is found; nothing else is wrong
	}{
		{"pods=2 max=1 ports=1 late=1", "lost"},
		{"pods=2 max=1 ports=2 late=1", "lost"},
		{"pods=3 max=2 ports=1 late=1", "lost"},
		{"pods=2 max=1 ports=1 late=1 waits upto blind", "lost"},
		{"pods=2 max=1 ports=1 late=2 waits lists", "refused"},
		{"pods=2 max=1 ports=1 late=2 waits deletes replaces restart", "lost"},
		{"pods=2 max=1 ports=1 late=2 reorders waits upto", "refused"},
		{"pods=2 max=1 ports=1 late=1 writers=2 waits upto", "lost"},
	} {
		r := explore(t, c.line)
		if r.First[c.what] == "" || c.what != "lost" && r.Lost > 0 || r.Unrest+r.Cycles > 0 {
			t.Errorf("%s: %v", c.line, r)
		}
	}
}

// TestCrash: a plan that was cut off and one made from a late cache never take away what both want
// (G12).
func TestCrash(t *testing.T) {
	nightly.Slow(t)
	if r := explore(t, "pods=2 max=1 ports=2 late=1 crash"); r.Lost > 0 {
		t.Errorf("%v\n%s", r, r.First["lost"])
	}
}

func explore(t *testing.T, line string) Report {
	w, err := parseWorld(strings.Fields(line))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Explore(w, limit)
	t.Log(line, r)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
