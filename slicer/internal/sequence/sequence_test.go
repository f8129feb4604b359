package sequence_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slicewright/slicewright/internal/test/nightly"
	. "github.com/slicewright/slicewright/slicer/internal/sequence"
)

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

// add adds a wait, unless it closes a cycle.
func (r reach) add(later, earlier int) bool {
	if r[earlier][later] {
		return false
	}
	for a := range r {
		for b := range r {
			r[a][b] = r[a][b] || r[a][later] && r[earlier][b]
		}
	}
	return true
}

// reachOf adds all waits and choices one by one, as the package comment says.
func reachOf(n int, waits []Wait, choices []Choice) reach {
	r := newReach(n)
	add := func(rank Rank) {
		for later := range n {
			for earlier := range n {
				if slices.Contains(waits, Wait{later, earlier, rank}) {
					r.add(later, earlier)
				}
			}
		}
	}
	add(First)
	add(Second)
	met := make([]bool, len(choices))
	for later := range n {
		for i, c := range choices {
			both := slices.ContainsFunc(c.Later, func(v int) bool { return slices.Contains(c.Earlier, v) })
			for _, earlier := range c.Earlier {
				if slices.Contains(c.Later, later) && !both && !met[i] {
					met[i] = r.add(later, earlier)
				}
			}
		}
	}
	add(Third)
	return r
}

// permutations returns all orders of the nodes. The first one that the waits allow is the one that
// Order returns: the first node is as early as possible, then the second one, and so on.
func permutations(nodes []int) [][]int {
	var all [][]int
	place := make([]int, len(nodes)) // by node, plus 1
	var extend func(done int)
	extend = func(done int) {
		if done == len(nodes) {
			order := make([]int, len(nodes))
			for v, p := range place {
				order[p-1] = v
			}
			all = append(all, order)
			return
		}
		for p := range nodes {
			if !slices.Contains(place, p+1) {
				place[nodes[done]] = p + 1
				extend(done + 1)
				place[nodes[done]] = 0
			}
		}
	}
	extend(0)
	return all
}

// allows reports whether an order meets the waits.
func (r reach) allows(order []int) bool {
	for i, before := range order {
		for _, after := range order[i+1:] {
			if r[before][after] {
				return false
			}
		}
	}
	return true
}

// TestDrawnAgainstPermutations compares Order with all permutations of up to six nodes, in any
// order of the waits and with repetitions. SLICEWRIGHT_CASES and SLICEWRIGHT_SEED ask for more or
// others.
func TestDrawnAgainstPermutations(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(nightly.Seed(t, 1)), 0))
	for n := 1; n <= 6; n++ {
		nodes := r.Perm(n)
		all := permutations(nodes)
		for range nightly.Cases(t, 2000) {
			waits, choices := draw(r, n)
			allowed := reachOf(n, waits, choices)
			want := all[slices.IndexFunc(all, allowed.allows)]
			waits = append(waits, waits...)
			r.Shuffle(len(waits), func(i, j int) { waits[i], waits[j] = waits[j], waits[i] })
			before := slices.Clone(waits)
			if got := Order(nodes, waits, choices); !slices.Equal(got, want) || !slices.Equal(waits, before) {
				t.Fatalf("nodes %v, %v %v: got %v, want %v", nodes, before, choices, got, want)
			}
		}
	}
}

func draw(r *rand.Rand, n int) (waits []Wait, choices []Choice) {
	for range r.IntN(2*n + 1) {
		waits = append(waits, Wait{r.IntN(n), r.IntN(n), Rank(r.IntN(3))})
	}
	some := func() []int {
		list := r.Perm(n)[:1+r.IntN(n)]
		slices.Sort(list)
		return list[:min(len(list), 3)]
	}
	for range r.IntN(4) {
		choices = append(choices, Choice{some(), some()})
	}
	return waits, choices
}

// TestLimit: with 1 000 nodes the limit of the search is not reached, even if each node waits for
// each node after it. With a chain of 50 000 nodes whose waits need many searches, it is reached,
// and then a wait is dropped that closes no cycle.
func TestLimit(t *testing.T) {
	for n, distance := range map[int]int{1000: 1000, 50_000: 2} {
		var nodes []int
		waits := []Wait{{n, n - 1, First}, {1, n, Third}}
		for later := range n {
			nodes = append(nodes, later)
			for earlier := later + 1; earlier < min(later+distance+1, n); earlier++ {
				waits = append(waits, Wait{later, earlier, Rank(min(earlier-later-1, 1))})
			}
		}
		order := Order(append(nodes, n), waits, []Choice{{nodes[:n/2], nodes[n/2:]}})
		if kept := order[n-1] == 1; kept != (n == 1000) {
			t.Errorf("%d nodes: the last wait is kept: %t", n, kept)
		}
	}
}
