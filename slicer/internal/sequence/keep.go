package sequence

import "slices"

// searchLimit bounds the steps that the searches for cycles take, for each node, wait and node in a choice.
const searchLimit = 64

// keep returns the waits of choices and the Soft waits that hold, and how many steps it took to find them. cycles are those
// of Strict and Firm waits, and waits and choices are sorted.
func keep(cycles partition, waits []Wait, choices []Choice) (kept []Wait, steps int) {
	n := len(cycles.of)
	possible := withChoices(n, waits, choices)
	all := components(n+len(choices), possible)
	c := &closer{
		cycles: cycles, all: all, later: make([][]int, cycles.count), seen: make([]int, cycles.count),
		limit: searchLimit * (n + len(possible)),
	}
	for _, w := range waits {
		if w.Rank != Soft {
			c.follow(w)
		}
	}
	for _, choice := range choices {
		c.choose(choice)
	}
	soft := slices.DeleteFunc(slices.Clone(waits), func(w Wait) bool {
		return w.Rank != Soft || cycles.of[w.Later] == cycles.of[w.Earlier]
	})
	for later, earlier := range earlierOf(n, soft) {
		c.keep(later, earlier, len(earlier))
	}
	return c.kept, c.steps
}

// withChoices adds to the waits all that choices allow. A choice gets a node of its own, from n on: all Later wait for it,
// and it waits for all Earlier.
func withChoices(n int, waits []Wait, choices []Choice) []Wait {
	possible := waits[:len(waits):len(waits)]
	for i, c := range choices {
		for _, v := range c.Later {
			possible = append(possible, Wait{Later: v, Earlier: n + i})
		}
		for _, v := range c.Earlier {
			possible = append(possible, Wait{Later: n + i, Earlier: v})
		}
	}
	return possible
}

// closer keeps waits that close no cycle.
type closer struct {
	cycles, all  partition // by Strict and Firm waits, and by all
	later        [][]int   // cycles that wait for a cycle, by Strict and Firm waits and those that are kept
	kept         []Wait
	seen         []int // the number of the last search that met the cycle
	searches     int
	steps, limit int
	stack        []int
}

// choose keeps the first wait of a choice that closes no cycle.
func (c *closer) choose(choice Choice) {
	for _, later := range choice.Later {
		c.steps += len(choice.Earlier)
		if c.keep(later, choice.Earlier, 1) || c.steps > c.limit {
			return
		}
	}
}

// keep keeps of the waits of a node for others the first that close no cycle, at most so many, and reports whether there is one. None
// has a part in the answer for another: a path that ends in the node's cycle has not come out of it before.
func (c *closer) keep(later int, earlier []int, most int) bool {
	searched, known, count := false, false, 0
	for _, e := range earlier {
		w := Wait{Later: later, Earlier: e}
		if !c.free(w) && !searched {
			searched, known = true, c.search(later)
		}
		if c.free(w) || known && !c.closes(w) {
			c.kept = append(c.kept, w)
			c.follow(w)
			if count++; count == most {
				break
			}
		}
	}
	return count > 0
}

// free reports whether a wait is in no cycle, whatever is kept.
func (c *closer) free(w Wait) bool { return c.all.of[w.Later] != c.all.of[w.Earlier] }

// search finds all that wait for a node, directly or through others. It reports false when no steps are left.
func (c *closer) search(later int) bool {
	from := c.cycles.of[later]
	c.searches++
	c.seen[from] = c.searches
	c.stack = append(c.stack[:0], from)
	for len(c.stack) > 0 {
		v := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		if c.steps += len(c.later[v]); c.steps > c.limit {
			return false
		}
		for _, to := range c.later[v] {
			if c.seen[to] != c.searches {
				c.seen[to] = c.searches
				c.stack = append(c.stack, to)
			}
		}
	}
	return true
}

// closes reports whether a wait of the node of the last search would close a cycle.
func (c *closer) closes(w Wait) bool { return c.seen[c.cycles.of[w.Earlier]] == c.searches }

// follow lets later searches follow a wait, if it may be in a cycle.
func (c *closer) follow(w Wait) {
	if !c.free(w) {
		earlier := c.cycles.of[w.Earlier]
		c.later[earlier] = append(c.later[earlier], c.cycles.of[w.Later])
	}
}
