package packing

import "slices"

// exactSteps bounds the steps in which writeMore finds the best choice over several groups. Where it would take more, the
// groups choose one after the other.
const exactSteps = 1 << 20

// writeMore chooses clean slices to write although nothing in them has to change, where that leaves fewer slices: then
// with the fewest such writes, and the fewest endpoints that move. It returns how many writes that takes beyond the
// fewest.
func (p *Problem) writeMore(pools []*pool, extra int) (beyond int) {
	forced, remaining := p.forcedWrites(), 0
	for _, l := range pools {
		remaining += l.remaining()
	}
	fewest := max(forced, remaining)
	extra = min(extra, len(p.Slices))
	limit := fewest - forced + extra // clean slices that may be written in all
	writes := func(n, gain int) int { return max(forced+n, remaining+n-gain) }
	fits := func(n, gain int) bool { return writes(n, gain) <= fewest+extra }
	counts, sum := choose(pools, limit, fits)
	taken := 0
	for _, n := range counts {
		taken += n
	}
	beyond = writes(taken, sum.gain) - fewest
	if beyond == 0 && sum.moves == 0 {
		return 0 // Place opens as many clean slices without Join
	}
	for n, l := range pools {
		l.compact(counts[n])
		slices.SortFunc(l.written, p.fullestFirst) // the clean slices may dissolve
	}
	return beyond
}

// choice is what writing some clean slices leads to.
type choice struct {
	gain  int  // so many slices fewer are left
	moves int  // endpoints that leave home
	ok    bool // some choices add up to it
}

func (c choice) plus(d choice) choice {
	return choice{c.gain + d.gain, c.moves + d.moves, true}
}

func (c choice) better(d choice) bool {
	return !d.ok || c.gain > d.gain || c.gain == d.gain && c.moves < d.moves
}

// choose returns how many clean slices of each pool are written, and what that leads to. fits says whether so many of
// them, in all pools, may be written for such a gain.
func choose(pools []*pool, limit int, fits func(n, gain int) bool) ([]int, choice) {
	if tooMany(pools, limit) {
		return chooseInTurn(pools, limit, fits)
	}
	table := []choice{{}} // by the number of clean slices, over the pools so far
	from := make([][]int, len(pools))
	for n, l := range pools {
		own := l.choices(limit)
		next := make([]choice, min(limit, len(table)+len(own)-2)+1)
		from[n] = make([]int, len(next))
		for a, before := range table {
			for b, c := range own[:min(len(own), len(next)-a)] {
				if sum := before.plus(c); sum.better(next[a+b]) {
					next[a+b], from[n][a+b] = sum, b
				}
			}
		}
		table = next
	}
	at := best(table, fits)
	chosen, counts := table[at], make([]int, len(pools))
	for n := len(pools) - 1; n >= 0; n-- {
		counts[n] = from[n][at]
		at -= counts[n]
	}
	return counts, chosen
}

// chooseInTurn lets one pool after the other choose what is best for it.
func chooseInTurn(pools []*pool, limit int, fits func(n, gain int) bool) ([]int, choice) {
	used, sum, counts := 0, choice{}, make([]int, len(pools))
	for n, l := range pools {
		own := l.choices(limit - used)
		counts[n] = best(own, func(b, gain int) bool { return fits(used+b, sum.gain+gain) })
		used, sum = used+counts[n], sum.plus(own[counts[n]])
	}
	return counts, sum
}

// tooMany reports whether the best choice over all pools takes too long to find.
func tooMany(pools []*pool, limit int) bool {
	clean := 0
	for _, l := range pools {
		clean += min(limit, len(l.clean)) + 1
	}
	return clean > exactSteps/(limit+1)
}

// best returns the index of the choice with the largest gain that fits, the first of equals; 0 where none gains.
func best(table []choice, fits func(n, gain int) bool) int {
	found := 0
	for n, c := range table {
		if c.gain > table[found].gain && fits(n, c.gain) {
			found = n
		}
	}
	return found
}

// choices says what writing the 0, 1, ... limit emptiest clean slices of a pool leads to. Of these and the written ones
// the emptiest dissolve, as many as the endpoints do not fill.
func (l *pool) choices(limit int) []choice {
	limit = min(limit, len(l.clean))
	table := make([]choice, 0, limit+1)
	emptiest := func(n int) int { return l.homes(l.written[len(l.written)-1-n]) }
	after := *l // with the clean slices that are written so far
	moves := 0
	clean, written := 0, 0 // how many of each dissolve
	for b := 0; ; b++ {
		for clean < b && written > 0 && l.homes(l.clean[clean]) < emptiest(written-1) {
			written--
			moves += l.homes(l.clean[clean]) - emptiest(written)
			clean++
		}
		for clean+written < len(l.written)+b-after.remaining() {
			if written == len(l.written) || clean < b && l.homes(l.clean[clean]) < emptiest(written) {
				moves += l.homes(l.clean[clean])
				clean++
			} else {
				moves += emptiest(written)
				written++
			}
		}
		table = append(table, choice{gain: b - after.remaining() + l.remaining(), moves: moves})
		if b == limit {
			return table
		}
		after.add(l.clean[b])
	}
}
