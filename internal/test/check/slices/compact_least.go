package slices

import (
	"cmp"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// leastCompact gives the smallest cost of Compact by formulas. A written slice may as well hold anything: so of each
// group as many are left as its endpoints fill, and only which clean slices are written too is to be chosen. The
// emptiest are, for any others take up more room and leave no fewer slices. A clean slice gives up nothing.
func (o *outcome) leastCompact(h *homes) CompactCost {
	c := CompactCost{Writes: len(o.stale)}
	for _, s := range o.live {
		if !o.types[s.AddressType] {
			c.Writes++
		}
	}
	for _, t := range []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6, discoveryv1.AddressTypeFQDN} {
		if o.types[t] {
			c = c.plus(o.leastCompactOf(t, h))
		}
	}
	return c
}

func (o *outcome) leastCompactOf(t discoveryv1.AddressType, h *homes) CompactCost {
	pools := map[*group]*pool{}
	for _, g := range o.groups {
		if g.addressType == t {
			pools[g] = &pool{max: o.max, total: len(g.wanted), stable: o.max}
			if percent := o.in.Options.DissolveUpTo; percent > 0 {
				pools[g].stable = o.max * percent / 100
			}
		}
	}
	if len(pools) == 0 {
		c := o.leastEmpty(t, of(t, o.live))
		return CompactCost{Writes: c.Writes, Slices: c.Slices}
	}
	forced, must, full, need := 0, 0, 0, 0 // endpoints that must move; slices
	for _, s := range of(t, o.live) {
		n, p := len(h.at[s]), pools[h.group[s]]
		switch {
		case p == nil:
			must++
		case o.dirty(s, h):
			must++
			forced += max(0, n-o.max)
			p.written = append(p.written, min(n, o.max))
		default:
			p.total -= n
			if n < o.max {
				p.clean = append(p.clean, n)
			} else {
				full++
			}
		}
	}
	states := map[state]int{{}: 0} // the fewest moves
	for _, p := range pools {
		need += p.left(0)
		full += len(p.clean)
		states = p.combine(states)
	}
	least := CompactCost{Writes: 1 << 30}
	for s, moves := range states {
		c := CompactCost{max(must+s.taken, need+s.taken-s.gain), full + need - s.gain, forced + moves}
		if cmp.Or(cmp.Compare(c.Writes, least.Writes), cmp.Compare(c.Slices, least.Slices), cmp.Compare(c.Moves, least.Moves)) < 0 {
			least = c
		}
	}
	return least
}

// pool is what the endpoints of a group are that may be dealt anew.
type pool struct {
	max            int
	total          int   // endpoints that are not at home in clean slices
	stable         int   // with more endpoints a slice does not dissolve
	written, clean []int // slices, by the endpoints at home in them
}

// state says how many clean slices are written, and how many slices fewer that leaves.
type state struct{ taken, gain int }

// left is the number of slices left of those written, if so many clean ones are. Those stay that may not dissolve.
func (p *pool) left(taken int) int {
	n, stay := p.total, taken
	for _, homes := range p.written {
		if homes > p.stable {
			stay++
		}
	}
	for _, homes := range p.clean[:taken] {
		n += homes
	}
	return max((n+p.max-1)/p.max, stay)
}

// combine adds every number of clean slices of this group to every state.
func (p *pool) combine(states map[state]int) map[state]int {
	slices.Sort(p.written)
	slices.Sort(p.clean)
	next := map[state]int{}
	for taken := range len(p.clean) + 1 {
		moves := p.moves(taken)
		for s, before := range states {
			sum := state{s.taken + taken, s.gain + taken - (p.left(taken) - p.left(0))}
			if have, ok := next[sum]; !ok || before+moves < have {
				next[sum] = before + moves
			}
		}
	}
	return next
}

// moves is the fewest endpoints that leave home: those of the emptiest written slices.
func (p *pool) moves(taken int) (moves int) {
	for _, homes := range p.written[:max(0, len(p.written)+taken-p.left(taken))] {
		moves += homes
	}
	return moves
}
