package sequence_test

import (
	"cmp"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/slicer/internal/sequence"
)

// rules is what the waits of a small graph demand, found without any cleverness: which node reaches
// which.
type rules struct {
	n     int
	cycle [][]bool        // by Strict and Firm waits two nodes reach each other
	hold  []sequence.Wait // the waits that an order must meet
}

func rulesOf(n int, waits []sequence.Wait, choices []sequence.Choice) rules {
	r := rules{n: n}
	reach := newReach(n)
	for _, w := range waits {
		if w.Rank != sequence.Soft {
			reach.add(w)
		}
	}
	for a := range n {
		r.cycle = append(r.cycle, make([]bool, n))
		for b := range n {
			r.cycle[a][b] = reach[a][b] && reach[b][a]
		}
	}
	for _, w := range waits {
		if w.Rank == sequence.Strict || w.Rank == sequence.Firm && !r.cycle[w.Later][w.Earlier] {
			r.hold = append(r.hold, w)
		}
	}
	for _, c := range sortedChoices(choices) {
		if slices.ContainsFunc(c.Later, func(v int) bool { return slices.Contains(c.Earlier, v) }) {
			continue // it says nothing
		}
		for _, w := range allowed(c) {
			if !reach[w.Earlier][w.Later] {
				reach.add(w)
				r.hold = append(r.hold, w)
				break
			}
		}
	}
	for later := range n {
		for earlier := range n {
			w := sequence.Wait{Later: later, Earlier: earlier, Rank: sequence.Soft}
			if slices.Contains(waits, w) && !reach[earlier][later] {
				reach.add(w)
				r.hold = append(r.hold, w)
			}
		}
	}
	return r
}

// allowed lists the waits that a choice allows.
func allowed(c sequence.Choice) []sequence.Wait {
	var waits []sequence.Wait
	for _, later := range c.Later {
		for _, earlier := range c.Earlier {
			waits = append(waits, sequence.Wait{Later: later, Earlier: earlier})
		}
	}
	return waits
}

func sortedChoices(choices []sequence.Choice) []sequence.Choice {
	var list []sequence.Choice
	for _, c := range choices {
		list = append(list, sequence.Choice{Later: slices.Sorted(slices.Values(c.Later)),
			Earlier: slices.Sorted(slices.Values(c.Earlier))})
	}
	slices.SortFunc(list, func(a, b sequence.Choice) int {
		return cmp.Or(slices.Compare(a.Later, b.Later), slices.Compare(a.Earlier, b.Earlier))
	})
	return list
}

// reach says which node waits for which, directly or through others. A node reaches itself.
type reach [][]bool

func newReach(n int) reach {
	r := make(reach, n)
	for v := range r {
		r[v] = make([]bool, n)
		r[v][v] = true
	}
	return r
}

// add takes a wait in: whoever reaches Later now reaches whatever Earlier reaches.
func (r reach) add(w sequence.Wait) {
	for a := range r {
		for b := range r {
			r[a][b] = r[a][b] || r[a][w.Later] && r[w.Earlier][b]
		}
	}
}

// allow reports whether an order meets the rules: place has the place of each node.
func (r rules) allow(place []int) bool {
	for _, w := range r.hold {
		if place[w.Earlier] > place[w.Later] {
			return false
		}
	}
	return r.together(place)
}

// together reports whether the nodes of each cycle follow each other.
func (r rules) together(place []int) bool {
	for a := range r.n {
		for b := range r.n {
			for c := range r.n {
				if r.cycle[a][b] && !r.cycle[a][c] && place[a] < place[c] && place[c] < place[b] {
					return false
				}
			}
		}
	}
	return true
}

// strictCycle reports whether Strict waits alone make a cycle, which they must not.
func strictCycle(n int, waits []sequence.Wait) bool {
	r := newReach(n)
	for _, w := range waits {
		if w.Rank == sequence.Strict {
			if r[w.Earlier][w.Later] {
				return true
			}
			r.add(w)
		}
	}
	return false
}

// places returns all permutations as the places of node 0, node 1 and so on, in dictionary order:
// the first one that the rules allow has node 0 as early as possible, then node 1, and so on.
func places(n int) [][]int {
	var all [][]int
	var extend func(start []int)
	extend = func(start []int) {
		if len(start) == n {
			all = append(all, slices.Clone(start))
			return
		}
		for place := range n {
			if !slices.Contains(start, place) {
				extend(append(start, place))
			}
		}
	}
	extend(nil)
	return all
}

// compare checks Order against all permutations.
func compare(t *testing.T, n int, waits []sequence.Wait, choices []sequence.Choice, all [][]int) {
	t.Helper()
	r := rulesOf(n, waits, choices)
	first := slices.IndexFunc(all, r.allow)
	if first < 0 {
		t.Fatalf("%d nodes, %v %v: the rules allow no order", n, waits, choices)
	}
	want := make([]int, n)
	for v, place := range all[first] {
		want[place] = v
	}
	if got := sequence.Order(n, waits, choices); !slices.Equal(got, want) {
		t.Fatalf("%d nodes, %v %v: got %v, want %v", n, waits, choices, got, want)
	}
}

// TestEnumerated compares Order with all permutations on every graph of up to three nodes, each
// pair in each direction without wait or with one of the three ranks, and on every graph of four
// nodes with up to five waits. With SLICEWRIGHT_SEQUENCE_ALL=1 there are all of four nodes, which
// takes some minutes.
func TestEnumerated(t *testing.T) {
	nightly.Slow(t)
	most := 5
	if os.Getenv("SLICEWRIGHT_SEQUENCE_ALL") != "" {
		most = 12
	}
	graphs := 0
	for n := range 5 {
		all := places(n)
		enumerate(n, most, func(waits []sequence.Wait) {
			if !strictCycle(n, waits) {
				graphs++
				compare(t, n, waits, nil, all)
			}
		})
	}
	t.Logf("%d graphs", graphs)
}

// enumerate visits all graphs of n nodes with up to most waits.
func enumerate(n, most int, visit func([]sequence.Wait)) {
	var pairs [][2]int
	for a := range n {
		for b := range n {
			if a != b {
				pairs = append(pairs, [2]int{a, b})
			}
		}
	}
	var extend func(waits []sequence.Wait, pairs [][2]int)
	extend = func(waits []sequence.Wait, pairs [][2]int) {
		if len(pairs) == 0 {
			visit(waits)
			return
		}
		extend(waits, pairs[1:])
		if len(waits) == most {
			return
		}
		for rank := sequence.Strict; rank <= sequence.Soft; rank++ {
			extend(append(waits, sequence.Wait{Later: pairs[0][0], Earlier: pairs[0][1], Rank: rank}), pairs[1:])
		}
	}
	extend(nil, pairs)
}

// seeded draws from SLICEWRIGHT_SEED, 1 without it.
func seeded(t *testing.T) *rand.Rand { return rand.New(rand.NewPCG(uint64(nightly.Seed(t, 1)), 0)) }

// draw makes a graph whose Strict waits have no cycle: they follow a drawn order. Some waits are
// there twice, in several ranks, or lead from a node to itself.
func draw(r *rand.Rand, n int) []sequence.Wait {
	var waits []sequence.Wait
	height := r.Perm(n)
	for range r.IntN(2*n + 1) {
		w := sequence.Wait{Later: r.IntN(n), Earlier: r.IntN(n), Rank: sequence.Rank(1 + r.IntN(3))}
		if w.Rank == sequence.Strict && height[w.Later] < height[w.Earlier] {
			w.Later, w.Earlier = w.Earlier, w.Later
		}
		waits = append(waits, w)
	}
	return waits
}

// drawChoices makes up to three choices. Some have a node in both lists.
func drawChoices(r *rand.Rand, n int) []sequence.Choice {
	var choices []sequence.Choice
	for range r.IntN(4) {
		order, later := r.Perm(n), 1+r.IntN(3)
		if rest := later + 1 + r.IntN(3); rest <= n {
			if r.IntN(8) == 0 {
				order[rest-1] = order[0]
			}
			choices = append(choices, sequence.Choice{Later: order[:later], Earlier: order[later:rest]})
		}
	}
	return choices
}

// TestDrawnAgainstPermutations compares Order with all permutations of five and six nodes, in any
// order of the waits and with repetitions, and leaves the waits as they are. SLICEWRIGHT_CASES says
// how many graphs of each are drawn, 4000 without it.
func TestDrawnAgainstPermutations(t *testing.T) {
	r := seeded(t)
	for _, n := range []int{5, 6} {
		all := places(n)
		for range nightly.Cases(t, 4000) {
			waits, choices := draw(r, n), drawChoices(r, n)
			before := slices.Clone(waits)
			got := sequence.Order(n, waits, choices)
			if !slices.Equal(waits, before) {
				t.Fatalf("%d nodes: %v became %v", n, before, waits)
			}
			compare(t, n, withoutLoops(slices.Clone(waits)), choices, all)
			waits, choices = append(waits, waits...), append(choices, choices...)
			r.Shuffle(len(waits), func(i, j int) { waits[i], waits[j] = waits[j], waits[i] })
			slices.Reverse(choices)
			if again := sequence.Order(n, waits, choices); !slices.Equal(got, again) {
				t.Fatalf("%d nodes, %v %v: %v, and shuffled %v", n, waits, choices, got, again)
			}
		}
	}
}

func withoutLoops(waits []sequence.Wait) []sequence.Wait {
	return slices.DeleteFunc(waits, func(w sequence.Wait) bool { return w.Later == w.Earlier })
}
