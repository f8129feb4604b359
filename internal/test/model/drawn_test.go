package model

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/internal/test/nightly"
)

// TestDrawn draws histories in worlds that are too large to visit: in each world SLICEWRIGHT_CASES
// histories, each of a hundred actions with every fault at once, except for the exceptions in the
// comment of Writes.
func TestDrawn(t *testing.T) {
	for _, line := range []string{
		"pods=6 max=2 ports=2 late=3 waits upto updates deletes replaces lost restart lists",
		"pods=5 max=2 ports=2 late=3 compact placeholders waits upto updates deletes lost restart",
		"pods=5 max=3 ports=1 late=3 dualstack zones waits upto updates deletes lost restart",
		"pods=5 max=2 ports=2 late=3 reuses reorders waits updates restart",
	} {
		drawHistories(t, line)
	}
}

// TestCrashDrawn draws histories of writers without Writes that are cut off, in worlds that are too
// large for TestCrash. Of two writers one takes over where the other one was cut off, with a cache
// of its own.
func TestCrashDrawn(t *testing.T) {
	nightly.Slow(t)
	for _, line := range []string{
		"pods=6 max=2 ports=2 late=3 shrinks crash",
		"pods=5 max=2 ports=2 late=3 compact placeholders dying crash",
		"pods=5 max=3 ports=1 late=3 dualstack zones byuid crash",
		"pods=5 max=2 ports=2 late=3 writers=2 crash",
	} {
		drawHistories(t, line)
	}
}

// drawHistories draws some of a world.
func drawHistories(t *testing.T, line string) {
	histories, seed := nightly.Cases(t, nightly.Usual(100, 300)), nightly.Seed(t, 1)
	w, err := parseWorld(strings.Fields(line))
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(w)
	lost, done, refused := 0, 0, 0
	for i := range histories {
		random := rand.New(rand.NewPCG(uint64(seed), uint64(i)))
		s := m.start()
		var way []action
		for range 100 {
			a := draw(random, m.actions(&s))
			way = append(way, a)
			n, out := m.do(&s, a)
			if s = n; out.wrote {
				done++
			} else if out.refused {
				refused++
			}
			if out.pods|uint32(out.lost) != 0 {
				if lost++; lost == 1 {
					t.Errorf("an endpoint is lost:\n%s", Trace(w, way))
				}
			}
		}
		if len(m.plans) > 200_000 {
			clear(m.plans)
			clear(m.rested)
		}
		if what := m.rest(s); what != "" {
			t.Fatalf("%s:\n%s", what, Trace(w, way))
		}
	}
	t.Logf("%s: %d histories, %d writes, %d refused, %d lost", line, histories, done, refused, lost)
}

// draw chooses one of the kinds that are possible, and one of its actions.
func draw(random *rand.Rand, list []action) action {
	var kinds []kind
	for _, a := range list {
		if !slices.Contains(kinds, a.kind) {
			kinds = append(kinds, a.kind)
		}
	}
	k := kinds[random.IntN(len(kinds))]
	list = slices.DeleteFunc(slices.Clone(list), func(a action) bool { return a.kind != k })
	return list[random.IntN(len(list))]
}
