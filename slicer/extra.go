package slicer

import "slices"

// exactExtra bounds the steps in which writeMore finds the best choice over several groups. Where it would take more, the
// groups choose one after the other, in the plan's order.
const exactExtra = 1 << 20

// choice is what writing the b emptiest clean slices of some groups, b being its index, leads to.
type choice struct {
	gain  int // slices fewer than without
	moves int // endpoints that leave their slice
	ok    bool
}

func (c choice) better(d choice) bool {
	return c.ok && (!d.ok || c.gain > d.gain || c.gain == d.gain && c.moves < d.moves)
}

// writeMore chooses clean slices to write although nothing in them must change, within what is left of ExtraWrites,
// where that leaves fewer slices: then the fewest such writes, and the fewest endpoints that move.
func (p *planner) writeMore(t int32, joints []*joint) {
	must, need := p.must(t), 0 // slices that are written, and those that the endpoints fill
	for _, j := range joints {
		need += p.left(j)
	}
	least := max(must, need)
	limit := least - must + p.extra // clean slices that may be written in all
	writes := func(b int, c choice) int { return max(must+b, need+b-c.gain) }
	counts, sum := p.choose(joints, limit, func(b int, c choice) bool { return writes(b, c) <= least+p.extra })
	taken := 0
	for _, n := range counts {
		taken += n
	}
	beyond := writes(taken, sum) - least
	if beyond == 0 && sum.moves == 0 {
		return // in place does as well: see open
	}
	p.extra -= beyond
	for n, j := range joints {
		p.take(j, counts[n])
		slices.SortFunc(j.written, func(a, b int32) int { return -p.byFill(a, b) })
	}
}

// choose returns how many clean slices of each group are written, and what that leads to.
func (p *planner) choose(joints []*joint, limit int, fits func(b int, c choice) bool) ([]int, choice) {
	counts := make([]int, len(joints))
	if p.many(joints, limit) {
		used, sum := 0, choice{ok: true}
		for n, j := range joints {
			counts[n] = best(p.choices(j, limit-used), func(b int, c choice) bool {
				return fits(used+b, choice{gain: sum.gain + c.gain})
			})
			own := p.choices(j, counts[n])[counts[n]]
			used, sum.gain, sum.moves = used+counts[n], sum.gain+own.gain, sum.moves+own.moves
		}
		return counts, sum
	}
	table := []choice{{ok: true}} // by the number of clean slices, over the groups so far
	from := make([][]int, len(joints))
	for n, j := range joints {
		own := p.choices(j, limit)
		next := make([]choice, min(limit, len(table)+len(own)-2)+1)
		from[n] = make([]int, len(next))
		for a, before := range table {
			for b, c := range own[:min(len(own), len(next)-a)] {
				sum := choice{before.gain + c.gain, before.moves + c.moves, before.ok && c.ok}
				if sum.better(next[a+b]) {
					next[a+b], from[n][a+b] = sum, b
				}
			}
		}
		table = next
	}
	at := best(table, fits)
	chosen := table[at]
	for n := len(joints) - 1; n >= 0; n-- {
		counts[n] = from[n][at]
		at -= counts[n]
	}
	return counts, chosen
}

// many reports whether the best choice over all groups takes too long to find.
func (p *planner) many(joints []*joint, limit int) bool {
	clean := 0
	for _, j := range joints {
		clean += min(limit, len(j.clean)) + 1
	}
	return len(joints) > 1 && clean > exactExtra/(limit+1)
}

// best returns the index of the choice with the largest gain that fits, the first of equals; 0 where none gains.
func best(table []choice, fits func(b int, c choice) bool) int {
	found := 0
	for b, c := range table {
		if c.ok && c.gain > table[found].gain && fits(b, c) {
			found = b
		}
	}
	return found
}

// choices says what writing the 0, 1, ... limit emptiest clean slices of a group leads to. Of these and the written ones
// the emptiest dissolve, as many as the endpoints do not fill.
func (p *planner) choices(j *joint, limit int) []choice {
	limit = min(limit, len(j.clean))
	table := make([]choice, 0, limit+1)
	homes := func(i int32) int { return int(p.slices[i].homes) }
	emptiest := func(n int) int { return homes(j.written[len(j.written)-1-n]) }
	after := *j // what is left
	moves := 0
	clean, written := 0, 0 // those that dissolve
	for b := 0; ; b++ {
		for clean < b && written > 0 && homes(j.clean[clean]) < emptiest(written-1) {
			written--
			moves += homes(j.clean[clean]) - emptiest(written)
			clean++
		}
		for clean+written < len(j.written)+b-p.left(&after) {
			if written == len(j.written) || clean < b && homes(j.clean[clean]) < emptiest(written) {
				moves += homes(j.clean[clean])
				clean++
			} else {
				moves += emptiest(written)
				written++
			}
		}
		table = append(table, choice{gain: b - p.left(&after) + p.left(j), moves: moves, ok: true})
		if b == limit {
			return table
		}
		after.count(p, j.clean[b])
	}
}
