package content

import "slices"

// Change is how the endpoints of a slice differ from those that it had before, in order.
type Change struct {
	Removed, Added []*Endpoint
}

// repeats reports whether an endpoint says what another one of its slice says, so that the other one can stay.
func (e *Endpoint) repeats(before *Endpoint) bool {
	return *e == *before || e.Origin == before.Origin && compare(e, before) == 0
}

// keeper copies what lasts out of the reader's memory. What slices have in common is copied once.
type keeper struct {
	lastPorts []Port
	last      [8]*Shared // that were made last; nil for none
	turn      int
}

// keep returns the endpoints that a slice has now: those of before that did not change, and copies of the others. Both lists are
// in order. Without any before, the result is now itself.
func (k *keeper) keep(before, now []*Endpoint) (after []*Endpoint, c Change) {
	if len(before) == 0 {
		return now, Change{Added: now}
	}
	same := 0
	for same < len(before) && same < len(now) && now[same].repeats(before[same]) {
		same++
	}
	if same == len(before) && same == len(now) {
		return before, c
	}
	after = append(make([]*Endpoint, 0, len(now)), before[:same]...)
	before, now = before[same:], now[same:]
	for len(before) > 0 || len(now) > 0 {
		order := 0
		switch {
		case len(now) == 0:
			order = -1
		case len(before) == 0:
			order = 1
		default:
			if order = compare(before[0], now[0]); order == 0 && !now[0].repeats(before[0]) {
				order = -1 // its slice has other labels
			}
		}
		switch {
		case order < 0:
			c.Removed, before = append(c.Removed, before[0]), before[1:]
		case order > 0:
			c.Added, after, now = append(c.Added, now[0]), append(after, now[0]), now[1:]
		default:
			after, before, now = append(after, before[0]), before[1:], now[1:]
		}
	}
	k.copy(after, c.Added)
	return after, c
}

// copy replaces added endpoints, in the list of them and in after, by copies that last.
func (k *keeper) copy(after, added []*Endpoint) {
	memory, next := make([]Endpoint, len(added)), 0
	for i, e := range added {
		for after[next] != e {
			next++
		}
		memory[i] = *e
		added[i], after[next] = &memory[i], &memory[i]
	}
}

// shared returns what lasts of what an endpoint has in common with others: one for equal ones, if they were made not long ago.
func (k *keeper) shared(s *Shared) *Shared {
	for _, known := range k.last {
		if known != nil && known.equal(s) {
			return known
		}
	}
	made := *s
	if len(s.ForZones) > 0 {
		made.ForZones = append(made.zone[:0], s.ForZones...)
	}
	k.know(&made)
	return &made
}

// know makes what endpoints have in common known, for those that come.
func (k *keeper) know(s *Shared) {
	if !slices.Contains(k.last[:], s) {
		k.last[k.turn%len(k.last)] = s
		k.turn++
	}
}

// ports returns a copy of a slice's ports. Slices with the same ports share it.
func (k *keeper) ports(before, now []Port) []Port {
	if !slices.Equal(now, before) {
		if before = k.lastPorts; !slices.Equal(now, before) {
			before = slices.Clone(now)
		}
	}
	k.lastPorts = before
	return before
}
