package sequence_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/slicewright/slicewright/slicer/internal/sequence"
)

// rules is what the waits of a small graph demand, told without any cleverness: which node reaches which.
type rules struct {
	n     int
	cycle [][]bool        // by Strict and Firm waits two nodes reach each other
	hold  []sequence.Wait // the waits that an order must meet
}

func rulesOf(n int, waits []sequence.Wait) rules {
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

// places returns all permutations as the places of node 0, node 1 and so on, in dictionary order: the first one that the
// rules allow has node 0 as early as possible, then node 1, and so on.
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
func compare(t *testing.T, n int, waits []sequence.Wait, all [][]int) {
	t.Helper()
	r := rulesOf(n, waits)
	first := slices.IndexFunc(all, r.allow)
	if first < 0 {
		t.Fatalf("%d nodes, %v: the rules allow no order", n, waits)
	}
	want := make([]int, n)
	for v, place := range all[first] {
		want[place] = v
	}
	if got := sequence.Order(n, waits); !slices.Equal(got, want) {
		t.Fatalf("%d nodes, %v: got %v, want %v", n, waits, got, want)
	}
}

// TestEnumerated compares Order with all permutations on every graph of up to three nodes, each pair in each direction
// without wait or with one of the three ranks, and on every graph of four nodes with up to five waits. With
// SLICEWRIGHT_SEQUENCE_ALL=1 there are all of four nodes, which takes some minutes.
func TestEnumerated(t *testing.T) {
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
				compare(t, n, waits, all)
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

// seed is where drawn graphs begin: 1, or SLICEWRIGHT_SEED.
func seed(t *testing.T) *rand.Rand {
	n := uint64(1)
	if text := os.Getenv("SLICEWRIGHT_SEED"); text != "" {
		var err error
		if n, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("SLICEWRIGHT_SEED: %v", err)
		}
	}
	t.Logf("seed %d", n)
	return rand.New(rand.NewPCG(n, 0))
}

// draw makes a graph whose Strict waits have no cycle: they follow a drawn order. Some waits are there twice, in several
// ranks, or lead from a node to itself.
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

// TestDrawnAgainstPermutations compares Order with all permutations of five and six nodes. SLICEWRIGHT_SEED draws other
// graphs.
func TestDrawnAgainstPermutations(t *testing.T) {
	r := seed(t)
	for n, count := range map[int]int{5: 4000, 6: 4000} {
		all := places(n)
		for range count {
			compare(t, n, withoutLoops(draw(r, n)), all)
		}
	}
}

func withoutLoops(waits []sequence.Wait) []sequence.Wait {
	return slices.DeleteFunc(waits, func(w sequence.Wait) bool { return w.Later == w.Earlier })
}

// TestDrawnAgainstRules holds orders of up to 40 nodes against the rules, in any order of the waits and with repetitions.
func TestDrawnAgainstRules(t *testing.T) {
	r := seed(t)
	for range 2000 {
		n := 1 + r.IntN(40)
		waits := draw(r, n)
		before := slices.Clone(waits)
		got := sequence.Order(n, waits)
		if !slices.Equal(waits, before) {
			t.Fatalf("%d nodes: %v became %v", n, before, waits)
		}
		place := make([]int, n)
		for i, v := range got {
			place[v] = i
		}
		if sorted := slices.Sorted(slices.Values(got)); len(sorted) != n || sorted[0] != 0 || sorted[n-1] != n-1 || len(slices.Compact(sorted)) != n {
			t.Fatalf("%d nodes, %v: %v has not each node once", n, waits, got)
		}
		if rules := rulesOf(n, withoutLoops(slices.Clone(waits))); !rules.allow(place) {
			t.Fatalf("%d nodes, %v: %v breaks the rules", n, waits, got)
		}
		shuffled := append(slices.Clone(waits), waits...)
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if again := sequence.Order(n, shuffled); !slices.Equal(got, again) {
			t.Fatalf("%d nodes, %v: %v, and shuffled %v", n, waits, got, again)
		}
	}
}
