package sequence

// searchLimit bounds the steps that the searches for cycles of Soft waits take, for each node and wait.
const searchLimit = 64

// keepSoft returns the Soft waits that hold, and how many steps it took to find them. cycles are those of Strict and Firm
// waits, and waits are sorted.
func keepSoft(cycles partition, waits []Wait) (kept []Wait, steps int) {
	all := components(len(cycles.of), waits)
	var doubtful []Wait
	for _, w := range waits {
		switch {
		case w.Rank != Soft:
		case all.of[w.Later] != all.of[w.Earlier]:
			kept = append(kept, w) // is in no cycle
		case cycles.of[w.Later] != cycles.of[w.Earlier]:
			doubtful = append(doubtful, w)
		}
	}
	if len(doubtful) == 0 {
		return kept, 0
	}
	c := &closer{
		cycles: cycles, later: laterOf(cycles, all, waits),
		added: make([][]int, cycles.count), seen: make([]int, cycles.count),
		limit: searchLimit * (len(cycles.of) + len(waits)),
	}
	for i := 0; i < len(doubtful); {
		later := doubtful[i].Later
		known := c.search(cycles.of[later])
		for ; i < len(doubtful) && doubtful[i].Later == later; i++ {
			if w := doubtful[i]; known && !c.closes(w) {
				kept = append(kept, w)
				c.add(w)
			}
		}
	}
	return kept, c.steps
}

// laterOf lists for each cycle those that wait for it by Strict and Firm waits, as far as they share a cycle of all ranks.
func laterOf(cycles, all partition, waits []Wait) neighbours {
	var between []Wait
	for _, w := range waits {
		if w.Rank != Soft && all.of[w.Later] == all.of[w.Earlier] && cycles.of[w.Later] != cycles.of[w.Earlier] {
			between = append(between, Wait{Later: cycles.of[w.Later], Earlier: cycles.of[w.Earlier]})
		}
	}
	return collect(cycles.count, between, func(w Wait) (from, to int) { return w.Earlier, w.Later })
}

// closer tells which Soft waits of a node would close a cycle.
type closer struct {
	cycles       partition
	later        neighbours // cycles that wait for a cycle, by Strict and Firm waits
	added        [][]int    // and by Soft waits that are kept
	seen         []int      // the number of the last search that met the cycle
	searches     int
	steps, limit int
	stack        []int
}

// search finds all that wait for a cycle, directly or through others. It reports false when no steps are left.
func (c *closer) search(from int) bool {
	c.searches++
	c.seen[from] = c.searches
	c.stack = append(c.stack[:0], from)
	for len(c.stack) > 0 {
		v := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		for _, list := range [...][]int{c.later.of(v), c.added[v]} {
			if c.steps += len(list); c.steps > c.limit {
				return false
			}
			for _, to := range list {
				if c.seen[to] != c.searches {
					c.seen[to] = c.searches
					c.stack = append(c.stack, to)
				}
			}
		}
	}
	return true
}

// closes reports whether a wait of the node of the last search would close a cycle.
func (c *closer) closes(w Wait) bool { return c.seen[c.cycles.of[w.Earlier]] == c.searches }

// add notes a wait that is kept. It has no part in the answers for the same node: a path to that node's cycle never comes
// out of it before.
func (c *closer) add(w Wait) {
	earlier := c.cycles.of[w.Earlier]
	c.added[earlier] = append(c.added[earlier], c.cycles.of[w.Later])
}
