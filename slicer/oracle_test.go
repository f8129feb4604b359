package slicer_test

import (
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strconv"
	"testing"

	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/slicer"
)

// cases is how many random worlds a test tries: few, unless the environment asks for more.
func cases(t testing.TB, few int) int {
	text := os.Getenv("SLICEWRIGHT_CASES")
	if text == "" {
		return few
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("SLICEWRIGHT_CASES: %v", err)
	}
	return n
}

// TestOracle compares Compute's cost with the least that any plan can have, found by trying all of them (G4), and the
// formulas of package check with both.
func TestOracle(t *testing.T) {
	for seed := range cases(t, 8000) {
		w := smallWorld(rand.New(rand.NewSource(int64(seed))), seed)
		in := w.input()
		plan, err := slicer.Compute(in)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := check.Plan(in, plan); check.Breaks(err, "G4") {
			t.Fatalf("seed %d: %v\n%s", seed, err, check.Describe(in, plan))
		}
		if have, want := check.PlanCost(in, plan), w.cheapest(); have != want {
			t.Fatalf("seed %d: cost %v, a plan with %v exists\n%s", seed, have, want, check.Describe(in, plan))
		}
	}
}

// toyWorld is a world of numbers: endpoints 0 to 5 are wanted on ports 80 to 82, and held by slices.
type toyWorld struct {
	max         int
	terminating bool
	split       bool
	never       bool // no placeholder
	wanted      []toyPair
	slices      []toySlice
}

type toyPair struct{ port, endpoint int }

type toySlice struct {
	port    int
	held    []int
	stained []int // those of held whose content differs from what is wanted
	version int
	labels  bool // whether its metadata are as wanted
	stale   bool
}

// smallWorld draws a world that grows with the seed, so that the first failure is a small one.
func smallWorld(r *rand.Rand, seed int) toyWorld {
	size := min(6, 2+seed/200)
	w := toyWorld{max: 1 + r.Intn(3), terminating: r.Intn(5) == 0, split: r.Intn(3) == 0, never: r.Intn(3) == 0}
	ports := 1 + r.Intn(3)
	for e := range r.Intn(size + 1) {
		for p := range ports {
			if r.Intn(ports) == 0 && len(w.wanted) < 6 {
				w.wanted = append(w.wanted, toyPair{80 + p, e})
			}
		}
	}
	versions := r.Perm(4)
	for i := range r.Intn(min(4, size) + 1) {
		s := toySlice{port: 80 + r.Intn(ports+1), version: versions[i] + 1, labels: r.Intn(6) > 0, stale: r.Intn(12) == 0}
		for range r.Intn(5) {
			e := r.Intn(size)
			if !slices.Contains(s.held, e) || r.Intn(8) == 0 {
				s.held = append(s.held, e)
			}
			if r.Intn(8) == 0 {
				s.stained = append(s.stained, e)
			}
		}
		if r.Intn(6) == 0 {
			s.port, s.held = 0, nil
		}
		w.slices = append(w.slices, s)
	}
	return w
}

// cheapest tries every way to put the wanted endpoints into the slices there are and into new ones.
func (w toyWorld) cheapest() check.Cost {
	live := w.live()
	t := &trial{toyWorld: w, live: live, places: make([]place, len(live))}
	t.homes()
	t.place(0)
	return t.best
}

func (w toyWorld) live() []toySlice {
	var live []toySlice
	for _, s := range w.slices {
		if !s.stale {
			live = append(live, s)
		}
	}
	return live
}

// trial is one assignment of endpoints to places: first the live slices, then the new ones.
type trial struct {
	toyWorld
	live     []toySlice
	home     map[toyPair]int
	places   []place
	unplaced int
	best     check.Cost
	found    bool
}

type place struct {
	port int // 0: nothing here
	in   []int
}

// homes finds the newest live slice of the right ports that holds a wanted endpoint.
func (t *trial) homes() {
	t.home = map[toyPair]int{}
	for _, p := range t.wanted {
		for i, s := range t.live {
			if s.port != p.port || !slices.Contains(s.held, p.endpoint) {
				continue
			}
			if h, ok := t.home[p]; !ok || s.version > t.live[h].version {
				t.home[p] = i
			}
		}
	}
}

// place tries all places for the n-th wanted endpoint and those after it.
func (t *trial) place(n int) {
	if n == len(t.wanted) {
		t.judge()
		return
	}
	p := t.wanted[n]
	for i := range t.places {
		room := t.max
		if i < len(t.live) {
			room = max(room, len(t.live[i].held)) // too large, but perhaps not written
		}
		if at := &t.places[i]; (at.port == 0 || at.port == p.port) && len(at.in) < room {
			before := *at
			*at = place{p.port, append(slices.Clone(at.in), p.endpoint)}
			t.place(n + 1)
			t.places[i] = before
		}
	}
	if t.terminating {
		t.unplaced++
		t.place(n + 1)
		t.unplaced--
		return
	}
	t.places = append(t.places, place{p.port, []int{p.endpoint}})
	t.place(n + 1)
	t.places = t.places[:len(t.places)-1]
}

// judge counts a complete assignment if it meets the guarantees.
func (t *trial) judge() {
	c := check.Cost{Unplaced: t.unplaced, Writes: len(t.slices) - len(t.live)}
	for i, p := range t.places {
		if i >= len(t.live) {
			c.Writes++
			c.Slices++
			continue
		}
		if p.port != 0 {
			c.Slices++
		}
		if t.written(i) {
			c.Writes++
			if len(p.in) > t.max {
				return
			}
		} else if t.split && len(p.in) > t.max {
			return
		}
	}
	if len(t.wanted) == 0 {
		t.placeholder(&c)
	}
	if !t.sticky() {
		return
	}
	if !t.found || cheaper(c, t.best) {
		t.found, t.best = true, c
	}
}

// placeholder takes the cheapest slice that can stay empty.
func (t *trial) placeholder(c *check.Cost) {
	switch {
	case t.never:
	case slices.ContainsFunc(t.live, func(s toySlice) bool { return s.port == 0 && s.labels }):
		c.Writes--
		c.Slices++
	case len(t.live) > 0:
		c.Slices++ // one is updated instead of deleted
	case !t.terminating:
		c.Writes++
		c.Slices++
	}
}

// written reports whether what is assigned to a live slice differs from what it holds.
func (t *trial) written(i int) bool {
	s, p := t.live[i], t.places[i]
	if s.port != p.port || !s.labels || len(s.held) != len(p.in) {
		return true
	}
	for _, e := range p.in {
		if !slices.Contains(s.held, e) || slices.Contains(s.stained, e) {
			return true
		}
	}
	return len(p.in) == 0
}

// sticky reports whether the assignment leaves endpoints at home (G5).
func (t *trial) sticky() bool {
	served := map[int]bool{}
	for _, p := range t.wanted {
		served[p.port] = true
	}
	for i, s := range t.live {
		var at []int
		for p, h := range t.home {
			if h == i {
				at = append(at, p.endpoint)
			}
		}
		if !t.keeps(i, s.port, at) {
			return false
		}
	}
	return t.orphans(served)
}

// keeps reports whether slice i serves the port and keeps as many of those at home as it must, and nothing else if it is
// not written.
func (t *trial) keeps(i, port int, at []int) bool {
	stay := len(both(at, t.places[i].in))
	if t.written(i) {
		return len(at) == 0 || t.places[i].port == port && stay == min(len(at), t.max)
	}
	return stay == len(at) && stay == len(t.places[i].in)
}

// orphans checks the slices of ports that nobody wants, the newest first: each takes the port that most of its homeless
// endpoints want.
func (t *trial) orphans(served map[int]bool) bool {
	homeless := map[toyPair]bool{}
	for _, p := range t.wanted {
		_, ok := t.home[p]
		homeless[p] = !ok
	}
	order := make([]int, len(t.live))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return t.live[b].version - t.live[a].version })
	for _, i := range order {
		if served[t.live[i].port] {
			continue
		}
		want, most := map[int][]int{}, 0
		for _, p := range t.wanted {
			if homeless[p] && slices.Contains(t.live[i].held, p.endpoint) {
				want[p.port] = append(want[p.port], p.endpoint)
				most = max(most, len(want[p.port]))
			}
		}
		port := t.places[i].port
		if most == 0 {
			continue
		}
		stay := both(want[port], t.places[i].in)
		for other := range want { // of several, the first in the plan's order
			if len(want[other]) == most && (len(want[port]) < most || other < port) {
				return false
			}
		}
		if len(stay) != min(most, t.max) {
			return false
		}
		for _, e := range stay {
			homeless[toyPair{port, e}] = false
		}
	}
	return true
}

func both(a, b []int) []int {
	var some []int
	for _, x := range a {
		if slices.Contains(b, x) {
			some = append(some, x)
		}
	}
	return some
}

func cheaper(a, b check.Cost) bool {
	return slices.Compare([]int{a.Unplaced, a.Writes, a.Slices}, []int{b.Unplaced, b.Writes, b.Slices}) < 0
}

func (s toySlice) String() string {
	return fmt.Sprintf("%d%v stained %v version %d", s.port, s.held, s.stained, s.version)
}
