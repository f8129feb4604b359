package check

import (
	"cmp"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// move is a wanted pair that a slice takes and that no slice of ours held on its ports.
type move struct {
	pair
	spans   []span  // of its endpoint, as its group knows it, on any ports
	holders []*slot // updated slices of which one must wait, by name; none if no order of updates can make it miss
	takers  []*slot // of which one is enough to wait for, by name
}

// checkPorts: an endpoint none of whose old ports are wanted is on old or new ones after every
// step, except inside a cycle of waits, the second rule of G6. It notes who waits for whom.
func (o *outcome) checkPorts(h *homes, waits *waits) {
	moves := o.moves(h)
	for _, m := range moves {
		if m.forced() {
			waits.add(m.holders[0], m.takers[0])
		}
	}
	excused := map[*move]bool{}
	for _, m := range moves {
		switch {
		case m.forced():
			excused[m] = waits.cyclic(m.holders[0], m.takers[0])
		case len(m.holders) > 0:
			excused[m] = !m.choose(waits)
		}
	}
	for _, m := range moves {
		if from, to, missing := gap(m.spans); missing && from >= 0 && !excused[m] {
			o.fail("G6", "(2) endpoint %s, which changes to %s, is on no ports after step %d until step %d", m.id,
				m.group.key, from, to)
		}
	}
}

// forced reports whether one slice only may wait, and for one only.
func (m *move) forced() bool { return len(m.holders) == 1 && len(m.takers) == 1 }

// choose lets the first holder by name wait for the first taker that makes no cycle. It reports
// false if there is none.
func (m *move) choose(waits *waits) bool {
	for _, from := range m.holders {
		for _, to := range m.takers {
			if !waits.reaches(to, from) {
				waits.add(from, to)
				return true
			}
		}
	}
	return false
}

// moves lists all moves, by the names of their holders and takers.
func (o *outcome) moves(h *homes) []*move {
	var moves []*move
	for _, g := range o.groups {
		for id := range g.wanted {
			m := &move{pair: pair{g, id}}
			if o.holds(g, id) && !o.publishes(m.pair) {
				m.spans = o.spansOf(m.pair)
				m.holders, m.takers = o.contenders(h, m)
				moves = append(moves, m)
			}
		}
	}
	slices.SortFunc(moves, func(a, b *move) int {
		return cmp.Or(slices.CompareFunc(a.holders, b.holders, byName), slices.CompareFunc(a.takers, b.takers, byName))
	})
	return moves
}

func byName(a, b *slot) int { return strings.Compare(a.name(), b.name()) }

// publishes reports whether a slice of ours holds the pair.
func (o *outcome) publishes(p pair) bool {
	for _, s := range o.slots {
		if s.old != nil && o.pairsOf(s.old)[p] {
			return true
		}
	}
	return false
}

// spansOf lists the slices that hold an endpoint before or after, on any ports.
func (o *outcome) spansOf(p pair) []span {
	has := func(s *discoveryv1.EndpointSlice) bool {
		return s != nil && s.AddressType == p.group.addressType &&
			slices.ContainsFunc(s.Endpoints, func(e discoveryv1.Endpoint) bool {
				return p.group.id(&e) == p.id
			})
	}
	var spans []span
	for _, s := range o.slots {
		if before, after := has(s.old), has(s.now); before || after {
			spans = append(spans, span{s, before, after})
		}
	}
	return spans
}

// contenders lists who may wait and for whom. There is nobody if no order of updates can make the
// endpoint miss.
func (o *outcome) contenders(h *homes, m *move) (holders, takers []*slot) {
	for _, s := range m.spans {
		switch {
		case s.before && (s.after || s.slot.now == nil), s.after && s.slot.old == nil:
			return nil, nil // an update is atomic, a delete comes last, and a create comes first
		case s.before:
			holders = append(holders, s.slot)
		default:
			takers = append(takers, s.slot)
		}
	}
	for _, t := range takers {
		for i, id := range t.ids {
			home := o.homeOf(h, pair{t.group, id})
			if m.group.id(&t.now.Endpoints[i]) == m.id && slices.Contains(holders, home) {
				return nil, nil // it leaves its home, and the first rule is for that
			}
		}
	}
	if len(holders) == 0 || len(takers) == 0 {
		return nil, nil
	}
	slices.SortFunc(holders, byName)
	slices.SortFunc(takers, byName)
	return holders, takers
}

// waits says which slices must be written before which others.
type waits struct {
	next map[*slot][]*slot
}

func newWaits(slots []*slot) *waits { return &waits{next: make(map[*slot][]*slot, len(slots))} }

// add notes that from waits for to.
func (w *waits) add(from, to *slot) {
	w.next[from] = append(w.next[from], to)
}

// cyclic reports whether two slices wait for each other, directly or through others.
func (w *waits) cyclic(a, b *slot) bool { return w.reaches(a, b) && w.reaches(b, a) }

func (w *waits) reaches(from, to *slot) bool {
	seen, stack := map[*slot]bool{}, []*slot{from}
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, n := range w.next[s] {
			if n == to {
				return true
			}
			if !seen[n] {
				seen[n] = true
				stack = append(stack, n)
			}
		}
	}
	return false
}
