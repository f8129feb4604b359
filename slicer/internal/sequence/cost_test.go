package sequence

import (
	"math/rand/v2"
	"slices"
	"testing"
)

const many = 100_000

// chain is n nodes, each of which waits for the next one.
func chain(n int, rank Rank) []Wait {
	var waits []Wait
	for v := range n - 1 {
		waits = append(waits, Wait{Later: v, Earlier: v + 1, Rank: rank})
	}
	return waits
}

// TestLongChain: no chain and no cycle is so long that the stack overflows.
func TestLongChain(t *testing.T) {
	for rank := Strict; rank <= Soft; rank++ {
		for place, v := range Order(many, chain(many, rank), nil) {
			if v != many-1-place {
				t.Fatalf("rank %d: node %d is at place %d", rank, v, place)
			}
		}
	}
	cycle := append(chain(many, Firm), Wait{Later: many - 1, Earlier: 0, Rank: Firm})
	if got := Order(many, cycle, nil); !slices.IsSorted(got) {
		t.Error("a cycle of Firm waits is not in the order of names")
	}
}

// TestCyclesInOrder: the nodes of a cycle of Strict waits are in the order of their numbers, even
// if many nodes of several cycles are sorted together.
func TestCyclesInOrder(t *testing.T) {
	const n = 60
	var waits []Wait
	for v := range n {
		waits = append(waits, Wait{Later: v, Earlier: (v + 3) % n, Rank: Strict})
	}
	got := Order(n, waits, nil)
	last := [3]int{-1, -1, -1}
	for _, v := range got {
		if v < last[v%3] {
			t.Fatalf("node %d comes after node %d: %v", v, last[v%3], got)
		}
		last[v%3] = v
	}
}

// tangled is a world made to be slow: every second node waits softly for the next in a chain of
// Firm waits, and so do all of them for nodes far away in both directions.
func tangled(n int) []Wait {
	r := rand.New(rand.NewPCG(1, 1))
	var waits []Wait
	for v := range n - 1 {
		rank := Firm
		if v%2 == 0 {
			rank = Soft
		}
		waits = append(waits, Wait{v, v + 1, rank}, Wait{r.IntN(n), v, Soft}, Wait{v, r.IntN(n), Soft})
	}
	return waits
}

// TestSearchesEnd: searches for cycles of Soft waits take no more steps than the package comment
// says, in a world where answering them all would take many times that.
func TestSearchesEnd(t *testing.T) {
	const n = 10_000
	waits := sorted(tangled(n))
	cycles := graphOf(numbers(n), waits, Firm).knots()
	k := hold(cycles, waits, nil)
	limit := searchLimit * (n + len(waits))
	if k.steps <= limit || k.steps > limit+len(waits) {
		t.Errorf("%d steps, want the limit of %d to end them", k.steps, limit)
	}
	if !slices.Equal(k.held.knots(), numbers(n)) {
		t.Error("some of the waits that are kept close a cycle")
	}
	if kept(k) <= kept(hold(cycles, ranked(waits, Firm), nil)) {
		t.Error("no Soft wait is kept")
	}
}

// numbers lists the nodes.
func numbers(n int) []int {
	nodes := make([]int, n)
	for v := range nodes {
		nodes[v] = v
	}
	return nodes
}

// kept counts the waits that hold.
func kept(k *keeper) (n int) {
	for _, list := range k.held {
		n += len(list)
	}
	return n
}

// ranked copies the waits up to a rank.
func ranked(waits []Wait, last Rank) []Wait {
	return slices.DeleteFunc(slices.Clone(waits), func(w Wait) bool { return w.Rank > last })
}

// TestChoicesEnd: the same for choices. When no steps are left, only those that can close no cycle
// are made.
func TestChoicesEnd(t *testing.T) {
	const n = 10_000
	// The first n-2 nodes are a chain, and its end waits softly for node n-2. So no node of the
	// second half can wait for one of the first half. Node n-2 could wait for node 0, if there were
	// steps left to see it, and can for n-1 in any case.
	waits := append(chain(n-2, Firm), Wait{n - 3, n - 2, Soft})
	var hopeless Choice
	for v := range n/2 - 2 {
		hopeless.Earlier = append(hopeless.Earlier, v)
		hopeless.Later = append(hopeless.Later, v+n/2)
	}
	k := hold(graphOf(numbers(n), waits, Firm).knots(), waits,
		[]Choice{hopeless, {Later: []int{n - 2}, Earlier: []int{0, n - 1}}})
	if !slices.Equal(k.held[n-1], []int{n - 2}) || kept(k) != n-2 {
		t.Errorf("%d waits are kept, and for node %d wait %v", kept(k), n-1, k.held[n-1])
	}
	if limit := searchLimit * (n + len(waits) + n); k.steps > limit+n {
		t.Errorf("%d steps, want at most %d", k.steps, limit)
	}
}

// TestOrderInsideCycles: the nodes of a cycle are in the order of their names, however many there
// are, unless Strict waits order them.
func TestOrderInsideCycles(t *testing.T) {
	const n = 1000
	var waits []Wait
	for v := range n { // 7 is a generator, so that this is one cycle
		waits = append(waits, Wait{Later: v, Earlier: (v + 7) % n, Rank: Firm})
	}
	if got := Order(n, waits, nil); !slices.IsSorted(got) {
		t.Errorf("%v", got)
	}
	got := Order(n, append(waits, Wait{Later: 0, Earlier: n - 1, Rank: Strict}), nil)
	if slices.Index(got, 0) < slices.Index(got, n-1) {
		t.Errorf("0 comes before %d: %v", n-1, got)
	}
}

// TestDiamonds: a search looks at each node once, although the number of paths to it doubles with
// each diamond. So it has steps enough to find that the first of two Soft waits closes no cycle,
// and that the second one does.
func TestDiamonds(t *testing.T) {
	const diamonds, other = 40, 3*40 + 1
	var waits []Wait
	for d := range diamonds { // 3*d+3 waits for 3*d+1 and 3*d+2, which wait for 3*d
		for _, side := range []int{1, 2} {
			waits = append(waits, Wait{3*d + side, 3 * d, Firm}, Wait{3*d + 3, 3*d + side, Firm})
		}
	}
	waits = append(waits, Wait{0, other, Soft}, Wait{other, 3 * diamonds, Soft})
	if got := Order(other+1, waits, nil); got[0] != other {
		t.Errorf("0 does not wait for %d: %v", other, got)
	}
	if k := hold(numbers(other+1), sorted(waits), nil); k.steps > 2*len(waits) {
		t.Errorf("%d steps for %d waits", k.steps, len(waits))
	}
}

// TestLimitIsExact: a search that takes as many steps as are left is finished, and so is a choice.
// One step less ends both.
func TestLimitIsExact(t *testing.T) {
	for limit, enough := range []bool{2: false, 3: true} {
		k := &keeper{held: graph{{1}, {2}, {3}, nil}, knots: make([]int, 4), seen: make([]int, 4), limit: limit}
		if k.search(0) != enough || k.searches != 1 || enough && !slices.Equal(k.seen, []int{1, 1, 1, 1}) {
			t.Errorf("a search of 3 steps ends with %d, and is number %d: %v", limit, k.searches, k.seen)
		}
	}
	for limit, enough := range []bool{1: false, 2: true} {
		// Node 0 is in a knot with 2 and 3, and no search for it was finished. Node 1 is in no
		// knot.
		k := &keeper{merged: numbers(4), held: make(graph, 4), knots: []int{0, 1, 0, 0}, limit: limit}
		if k.choose(Choice{Later: []int{0, 1}, Earlier: []int{2, 3}}); (kept(k) == 1) != enough {
			t.Errorf("after 2 steps of %d node 1 waits for 2: %v", limit, k.held)
		}
	}
}
