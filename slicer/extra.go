package slicer

import "slices"

// exactExtra bounds groups times writes squared up to which writeMore finds the best choice over several groups. Past
// it, and with one group, the groups choose one after the other, in the plan's order.
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
	must, need := 0, 0 // slices that are written, and those that the endpoints fill
	for i := range p.slices {
		if s := &p.slices[i]; s.typ == t && (s.fate == free || s.fate == stays && s.reasons != 0) {
			must++
		}
	}
	for _, j := range joints {
		need += p.whole(j.total)
	}
	least := max(must, need)
	limit := least - must + p.extra // clean slices that may be written in all
	fits := func(b int, c choice) bool { return max(must+b, need+b-c.gain) <= least+p.extra }
	counts := p.choose(joints, limit, fits)
	written := 0
	for n, j := range joints {
		for _, i := range j.clean[:counts[n]] {
			s := &p.slices[i]
			s.reasons.add(Compacted)
			j.total += int(s.homes)
			j.written = append(j.written, i)
		}
		written += counts[n]
		j.clean = j.clean[counts[n]:]
		slices.SortFunc(j.written, func(a, b int32) int { return -p.byFill(a, b) })
	}
	after := 0
	for _, j := range joints {
		after += p.whole(j.total)
	}
	p.extra -= max(must+written, after) - least
}

// choose returns how many clean slices of each group are written.
func (p *planner) choose(joints []*joint, limit int, fits func(b int, c choice) bool) []int {
	counts := make([]int, len(joints))
	if len(joints) > 1 && len(joints)*limit*limit > exactExtra {
		used, sum := 0, choice{ok: true}
		for n, j := range joints {
			counts[n] = best(p.choices(j, limit-used), func(b int, c choice) bool {
				return fits(used+b, choice{gain: sum.gain + c.gain})
			})
			used += counts[n]
			sum.gain += p.choices(j, counts[n])[counts[n]].gain
		}
		return counts
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
	for n := len(joints) - 1; n >= 0; n-- {
		counts[n] = from[n][at]
		at -= counts[n]
	}
	return counts
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

// choices says what writing the 0, 1, ... limit emptiest clean slices of a group leads to.
func (p *planner) choices(j *joint, limit int) []choice {
	limit = min(limit, len(j.clean))
	table := make([]choice, 0, limit+1)
	sorted := make([]int, 0, len(j.written)+limit) // endpoints in the written slices, the fullest first
	for _, i := range j.written {
		sorted = append(sorted, int(p.slices[i].homes))
	}
	total := j.total
	for b := 0; ; b++ {
		stay := min(len(sorted), p.whole(total))
		moves := 0
		for _, h := range sorted[stay:] {
			moves += h
		}
		table = append(table, choice{gain: b - p.whole(total) + p.whole(j.total), moves: moves, ok: true})
		if b == limit {
			return table
		}
		h := int(p.slices[j.clean[b]].homes)
		total += h
		at, _ := slices.BinarySearchFunc(sorted, h, func(have, want int) int { return want - have })
		sorted = slices.Insert(sorted, at, h)
	}
}
