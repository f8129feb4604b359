package slicer_test

import (
	"math/rand"
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/slicer"
)

// TestCompactOracle compares what Compact costs with the best of all plans there are, found by trying each.
func TestCompactOracle(t *testing.T) {
	for seed := range cases(t, 4000) {
		r := rand.New(rand.NewSource(int64(seed)))
		w := compactWorld(r, seed)
		extra, percent := r.Intn(3), []int{0, 0, 1, 34, 50, 99, 100}[r.Intn(7)]
		in := w.input()
		in.Options.Packing, in.Options.ExtraWrites, in.Options.DissolveUpTo = slicer.Compact, extra, percent
		plan, err := slicer.Compute(in)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		b := newBest(w, percent)
		if have, want := b.costOf(plan), b.cheapest(extra); have != want {
			t.Fatalf("seed %d, %d extra: cost %+v, a plan with %+v exists\n%s", seed, extra, have, want, check.Describe(in, plan))
		}
		if err := check.Plan(in, plan); err != nil {
			t.Fatalf("seed %d, %d extra: %v\n%s", seed, extra, err, check.Describe(in, plan))
		}
	}
}

// compactWorld draws a world in which slices are scattered and many are written. It grows with the seed.
func compactWorld(r *rand.Rand, seed int) toyWorld {
	if seed%4 == 0 {
		w := smallWorld(r, seed)
		w.terminating = false
		return w
	}
	size := min(6, 2+seed/200)
	w := toyWorld{max: 1 + r.Intn(3), split: r.Intn(4) == 0, never: r.Intn(4) == 0}
	versions := r.Perm(4)
	for i := range 1 + r.Intn(4) {
		w.slices = append(w.slices, toySlice{port: 80 + r.Intn(2), version: versions[i] + 1, labels: r.Intn(4) > 0})
	}
	for e := range 1 + r.Intn(size) {
		s := &w.slices[r.Intn(len(w.slices))]
		port := 80 + r.Intn(2)
		if r.Intn(3) > 0 {
			s.held = append(s.held, e)
			if r.Intn(8) > 0 {
				port = s.port
			}
		}
		w.wanted = append(w.wanted, toyPair{port, e})
		if r.Intn(8) == 0 {
			s.stained = append(s.stained, e)
		}
	}
	for i := range w.slices { // held and no longer wanted
		if r.Intn(3) == 0 {
			w.slices[i].held = append(w.slices[i].held, 10+i)
		}
	}
	return w
}

// compactCost is what Compact makes as small as possible: the first field first.
type compactCost struct{ writes, slices, moves int }

func (c compactCost) less(d compactCost) bool {
	return slices.Compare([]int{c.writes, c.slices, c.moves}, []int{d.writes, d.slices, d.moves}) < 0
}

// best is the cheapest of the plans tried so far, by the number of clean slices that give endpoints up and of writes.
type best struct {
	*trial
	homePort []int // by live slice: the port that those at home there are wanted on; 0: nobody is
	at       [][]int
	percent  int // slices with more than that much of the maximum do not dissolve; 0: all may
	found    map[[2]int]compactCost
}

func newBest(w toyWorld, percent int) *best {
	live := w.live()
	b := &best{trial: &trial{toyWorld: w, live: live, places: make([]place, len(live))}, percent: percent, found: map[[2]int]compactCost{}}
	b.homes()
	b.homePort, b.at = make([]int, len(live)), make([][]int, len(live))
	for _, p := range w.wanted {
		if i, ok := b.home[p]; ok {
			b.homePort[i], b.at[i] = p.port, append(b.at[i], p.endpoint)
		}
	}
	b.adopt()
	return b
}

// adopt lets slices whose port nobody wants, the newest first, take the port that most of their homeless endpoints want:
// up to the maximum of these, the first ones, are then at home there.
func (b *best) adopt() {
	served := map[int]bool{}
	for _, p := range b.wanted {
		served[p.port] = true
	}
	order := make([]int, len(b.live))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return b.live[j].version - b.live[i].version })
	for _, i := range order {
		if served[b.live[i].port] {
			continue
		}
		var most []int
		for port := 80; port <= 82; port++ {
			var wanted []int
			for _, p := range b.wanted {
				if _, at := b.home[p]; !at && p.port == port && slices.Contains(b.live[i].held, p.endpoint) {
					wanted = append(wanted, p.endpoint)
				}
			}
			if len(wanted) > len(most) {
				most, b.homePort[i] = wanted, port
			}
		}
		slices.Sort(most)
		b.at[i] = most[:min(len(most), b.max)]
		for _, e := range b.at[i] {
			b.home[toyPair{b.homePort[i], e}] = i
		}
	}
}

// cheapest tries every way to put the wanted endpoints into the slices there are and into new ones.
func (b *best) cheapest(extra int) compactCost {
	b.try(0)
	fewest := compactCost{writes: 1 << 30}
	for key, c := range b.found {
		if key[0] == 0 && c.less(fewest) {
			fewest = c
		}
	}
	chosen := fewest
	for key, c := range b.found {
		if key[0] > extra || c.writes > fewest.writes+extra {
			continue
		}
		if c.slices < chosen.slices || c.slices == chosen.slices && c.less(chosen) {
			chosen = c
		}
	}
	return chosen
}

// try tries all places for the n-th wanted endpoint and those after it.
func (b *best) try(n int) {
	if n == len(b.wanted) {
		b.count()
		return
	}
	p := b.wanted[n]
	for i := range b.places {
		room := b.max
		if i < len(b.live) {
			room = max(room, len(b.live[i].held)) // too large, but perhaps not written
		}
		if at := &b.places[i]; (at.port == 0 || at.port == p.port) && len(at.in) < room {
			before := *at
			*at = place{p.port, append(slices.Clone(at.in), p.endpoint)}
			b.try(n + 1)
			b.places[i] = before
		}
	}
	b.places = append(b.places, place{p.port, []int{p.endpoint}})
	b.try(n + 1)
	b.places = b.places[:len(b.places)-1]
}

// count notes a complete assignment if it is one that Compact may choose.
func (b *best) count() {
	c, given := compactCost{writes: len(b.slices) - len(b.live)}, 0
	for i, p := range b.places {
		if p.port != 0 {
			c.slices++
		}
		if i >= len(b.live) {
			c.writes++
			continue
		}
		stay := 0
		if p.port == b.homePort[i] {
			stay = len(both(b.at[i], p.in))
		}
		written := b.written(i) || stay < len(p.in) // even if all that it takes is what it holds copies of (G6)
		if written {
			c.writes++
		}
		if len(p.in) > b.max && (written || b.split) {
			return
		}
		switch {
		case written && stay != 0 && stay != min(len(b.at[i]), b.max):
			return // it gives up some without need
		case stay == 0 && b.percent > 0 && min(len(b.at[i]), b.max)*100 > b.percent*b.max:
			return // it is too full to dissolve
		case stay < len(b.at[i]) && b.clean(i):
			given++
		}
		c.moves += len(b.at[i]) - stay
	}
	if len(b.wanted) == 0 {
		var p check.Cost
		b.placeholder(&p)
		c.writes += p.Writes
		c.slices += p.Slices
	}
	key := [2]int{given, c.writes}
	if have, ok := b.found[key]; !ok || c.less(have) {
		b.found[key] = c
	}
}

// clean reports whether a slice has endpoints at home and need not be written.
func (b *best) clean(i int) bool {
	s := b.live[i]
	before := b.places[i]
	b.places[i] = place{b.homePort[i], b.at[i]}
	clean := !b.written(i) && !(b.split && len(s.held) > b.max)
	b.places[i] = before
	return clean
}

// costOf counts what a plan does.
func (b *best) costOf(plan slicer.Plan) compactCost {
	c := compactCost{writes: len(plan.Steps)}
	after := map[string]*discoveryv1.EndpointSlice{}
	for _, s := range plan.Unchanged {
		after[s.Name] = s
		c.slices++
	}
	for _, s := range plan.Steps {
		if s.New != nil {
			after[s.New.Name] = s.New
			c.slices++
		}
	}
	at := 0
	for i, s := range b.slices {
		if s.stale {
			continue
		}
		now := after[s.slice(i).Name]
		for _, e := range b.at[at] {
			if !holdsToy(now, b.homePort[at], e) {
				c.moves++
			}
		}
		at++
	}
	return c
}

func holdsToy(s *discoveryv1.EndpointSlice, port, e int) bool {
	if s == nil || len(s.Ports) == 0 || int(*s.Ports[0].Port) != port {
		return false
	}
	address := toyEndpoint(e, true).Addresses[0]
	return slices.ContainsFunc(s.Endpoints, func(e discoveryv1.Endpoint) bool { return e.Addresses[0] == address })
}
