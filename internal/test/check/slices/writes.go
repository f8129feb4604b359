package slices

import (
	"cmp"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/check/form"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/slicer"
)

// Cost is what G4 makes as small as possible, the first field first.
type Cost struct{ Unplaced, Writes, Slices int }

func (c Cost) less(d Cost) bool {
	return cmp.Or(cmp.Compare(c.Unplaced, d.Unplaced), cmp.Compare(c.Writes, d.Writes),
		cmp.Compare(c.Slices, d.Slices)) < 0
}

func (c Cost) plus(d Cost) Cost {
	return Cost{c.Unplaced + d.Unplaced, c.Writes + d.Writes, c.Slices + d.Slices}
}

// costOf counts what a plan does.
func (o *outcome) cost() Cost {
	c := Cost{Unplaced: len(given.Skips(o.plan, slicer.NoRoom)), Writes: len(o.plan.Steps)}
	for _, s := range o.slots {
		if s.now != nil {
			c.Slices++
		}
	}
	return c
}

// checkWrites compares the plan with the least that the guarantees allow (G4).
func (o *outcome) checkWrites(h *homes) {
	if have, want := o.cost(), o.least(h); have != want {
		o.fail("G4", "cost (unplaced, writes, slices) is %v, want %v", have, want)
	}
}

// least gives the smallest cost by formulas. They hold because packing one address type never helps
// another, a slice that must be written anyway takes and gives for nothing, and a create has at
// least the room of any other slice.
func (o *outcome) least(h *homes) Cost {
	c := Cost{Writes: len(o.stale)}
	byType := map[discoveryv1.AddressType][]*discoveryv1.EndpointSlice{}
	for _, s := range o.live {
		byType[s.AddressType] = append(byType[s.AddressType], s)
	}
	for t, list := range byType {
		if !o.types[t] {
			c.Writes += len(list)
		}
	}
	for t := range o.types {
		c = c.plus(o.leastOf(t, byType[t], h))
	}
	return c
}

func (o *outcome) leastOf(t discoveryv1.AddressType, list []*discoveryv1.EndpointSlice, h *homes) Cost {
	var groups []*group
	for _, g := range o.groups {
		if g.addressType == t {
			groups = append(groups, g)
		}
	}
	if len(groups) == 0 {
		return o.leastEmpty(t, list)
	}
	c, free := Cost{}, 0
	needs := map[*group]*need{}
	for _, g := range groups {
		needs[g] = &need{left: len(g.wanted), max: o.max, create: !o.in.Set.Terminating}
	}
	for _, s := range list {
		g, n := h.group[s], len(h.at[s])
		switch {
		case g == nil:
			free++
			c.Writes++
		case o.dirty(s, h):
			c = c.plus(Cost{Writes: 1, Slices: 1})
			needs[g].left -= max(o.max, o.stay(n))
		default:
			c.Slices++
			needs[g].left -= n
			if n < o.max {
				needs[g].rooms = append(needs[g].rooms, o.max-n)
			}
		}
	}
	return c.plus(distribute(groups, needs, free))
}

// leastEmpty is the cost of a wanted type without endpoints: one placeholder or nothing.
func (o *outcome) leastEmpty(t discoveryv1.AddressType, list []*discoveryv1.EndpointSlice) Cost {
	if !o.wantsPlaceholder(t) {
		return Cost{Writes: len(list)}
	}
	for _, s := range list {
		if len(s.Endpoints) == 0 && len(s.Ports) == 0 && o.differences(s) == (differences{}) {
			return Cost{Writes: len(list) - 1, Slices: 1}
		}
	}
	switch {
	case len(list) > 0:
		return Cost{Writes: len(list), Slices: 1}
	case o.in.Set.Terminating:
		return Cost{}
	}
	return Cost{Writes: 1, Slices: 1}
}

// dirty reports whether a slice with endpoints at home in it must be written.
func (o *outcome) dirty(s *discoveryv1.EndpointSlice, h *homes) bool {
	g := h.group[s]
	if form.KeyOf(s) != g.key || o.differences(s) != (differences{}) || len(s.Endpoints) != len(h.at[s]) {
		return true
	}
	if o.in.Options.SplitOversize && o.stay(len(s.Endpoints)) < len(s.Endpoints) {
		return true
	}
	for i := range s.Endpoints {
		e := &s.Endpoints[i]
		id := g.id(e)
		w := g.wanted[id]
		if w == nil || h.home[g][id] != s || !sameContent(e, w.pick, o.in.Options.ExplicitConditions) ||
			!o.hintsFit(g, id, w, e.Hints) {
			return true
		}
	}
	return false
}

// need is what a group still has to place once its written slices are full.
type need struct {
	left, max int
	rooms     []int // in slices that need no write
	create    bool
}

// with is the cost of placing the rest when k free slices are used, which are written anyway.
func (n *need) with(k int) Cost {
	left := max(0, n.left-k*n.max)
	rooms := slices.Clone(n.rooms)
	slices.Sort(rooms)
	slices.Reverse(rooms)
	best, taken := Cost{Unplaced: 1 << 30}, 0
	for opened := 0; opened <= len(rooms); opened++ {
		if opened > 0 {
			taken += rooms[opened-1]
		}
		c := Cost{Writes: opened, Slices: k}
		if rest := max(0, left-taken); n.create {
			creates := (rest + n.max - 1) / n.max
			c = c.plus(Cost{Writes: creates, Slices: creates})
		} else {
			c.Unplaced = rest
		}
		if c.less(best) {
			best = c
		}
	}
	return best
}

// distribute tries every way to share the free slices out, one group after the other.
func distribute(groups []*group, needs map[*group]*need, free int) Cost {
	best := make([]Cost, free+1) // by number of slices still free
	reachable := make([]bool, free+1)
	reachable[free] = true
	for _, g := range groups {
		next, ok := make([]Cost, free+1), make([]bool, free+1)
		for have := range best {
			for k := 0; reachable[have] && k <= have; k++ {
				c := best[have].plus(needs[g].with(k))
				if !ok[have-k] || c.less(next[have-k]) {
					next[have-k], ok[have-k] = c, true
				}
				if k*needs[g].max >= needs[g].left {
					break
				}
			}
		}
		best, reachable = next, ok
	}
	least, found := Cost{}, false
	for i, c := range best {
		if reachable[i] && (!found || c.less(least)) {
			least, found = c, true
		}
	}
	return least
}
