package slices

import (
	discoveryv1 "k8s.io/api/discovery/v1"
)

// move is a wanted pair that no slice of ours holds on its ports, while some hold its endpoint on others.
type move struct {
	pair
	spans []span // of its endpoint, as its group knows it, on any ports
}

// checkPorts: an endpoint none of whose old ports are wanted is on old or new ones after every step, except inside a cycle
// of waits, the second rule of G6. It notes who waits for whom.
func (o *outcome) checkPorts(h *homes, waits *waits) {
	var moves []move
	for _, g := range o.groups {
		for id := range g.wanted {
			m := move{pair: pair{g, id}}
			if !o.publishes(m.pair) {
				m.spans = o.spansOf(m.pair)
				moves = append(moves, m)
			}
		}
	}
	for _, m := range moves {
		for _, to := range o.takers(h, m) {
			waits.add(m.newest(), to)
		}
	}
	for _, m := range moves { // once all waits are known
		from, to, missing := gap(m.spans)
		if !missing || from < 0 || to == never {
			continue // published, new, or unplaced
		}
		for _, t := range o.takers(h, m) {
			missing = missing && !waits.cyclic(m.newest(), t)
		}
		if missing {
			o.fail("G6", "(2) endpoint %s, which changes to %s, is on no ports after step %d until step %d", m.id, m.group.key, from, to)
		}
	}
}

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
		if s == nil || s.AddressType != p.group.addressType {
			return false
		}
		for i := range s.Endpoints {
			if p.group.id(&s.Endpoints[i]) == p.id {
				return true
			}
		}
		return false
	}
	var spans []span
	for _, s := range o.slots {
		if before, after := has(s.old), has(s.now); before || after {
			spans = append(spans, span{s, before, after})
		}
	}
	return spans
}

// newest returns the holder that waits: of those that are updated the one with the highest resourceVersion.
func (m *move) newest() *slot {
	var newest *slot
	for _, s := range m.spans {
		if s.before && s.slot.now != nil && (newest == nil || newerFirst(s.slot.old, newest.old) < 0) {
			newest = s.slot
		}
	}
	return newest
}

// takers lists the slices that the newest holder waits for: those that take the endpoint. There are none if no order of
// updates can make it miss.
func (o *outcome) takers(h *homes, m move) []*slot {
	held := map[*slot]bool{}
	for _, s := range m.spans {
		if held[s.slot] = s.before; s.before && (s.after || s.slot.now == nil) {
			return nil // an update is atomic, and a delete comes last
		}
	}
	var takers []*slot
	for _, s := range m.spans {
		if !s.after {
			continue
		}
		if s.slot.old == nil {
			return nil // a create comes first
		}
		for i, id := range s.slot.ids {
			home := o.homeOf(h, pair{s.slot.group, id})
			if m.group.id(&s.slot.now.Endpoints[i]) == m.id && held[home] {
				return nil // it leaves its home, and the first rule is for that
			}
		}
		takers = append(takers, s.slot)
	}
	if m.newest() == nil {
		return nil // it is new
	}
	return takers
}
