package content

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// Change is how the endpoints of a slice differ from those that it had before, in order.
type Change struct {
	Removed, Added []*Endpoint
}

// keeper copies what lasts out of the reader's memory. What slices have in common is copied once.
type keeper struct {
	lastPorts []Port
	zones     [8][]discoveryv1.ForZone // lists of hints that were copied last
	turn      int
}

// keep returns the endpoints that a slice has now: those of before that did not change, and copies of the others. Both lists are
// in order.
func (k *keeper) keep(before, now []*Endpoint) (after []*Endpoint, c Change) {
	if len(before) == 0 && len(now) > 0 {
		after = slices.Clone(now)
		k.copy(after, after)
		return after, Change{Added: after}
	}
	same := 0
	for same < len(before) && same < len(now) && compareVersions(before[same], now[same]) == 0 {
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
			order = compareVersions(before[0], now[0])
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

// compareVersions orders an endpoint that a slice had and one that it has. They are the same, which is 0, only if the slice has
// the same Origin. Else the endpoint of before comes first.
func compareVersions(before, now *Endpoint) int {
	if c := compare(before, now); c != 0 || before.Origin == now.Origin {
		return c
	}
	return -1
}

// batch bounds how many endpoints share memory: one that stays holds the whole batch, so it must not be large; one allocation
// for each would be slow. 25 endpoints of 160 bytes are 4 KiB.
const batch = 25

// copy replaces added endpoints, in the list of them and in after, by copies that last.
func (k *keeper) copy(after, added []*Endpoint) {
	var memory []Endpoint
	next := 0
	for i, e := range added {
		if len(memory) == 0 {
			memory = make([]Endpoint, min(batch, len(added)-i))
		}
		memory[0] = *e
		memory[0].ForZones = k.forZones(e.ForZones)
		for after[next] != e {
			next++
		}
		added[i], after[next], memory = &memory[0], &memory[0], memory[1:]
	}
}

// forZones returns a copy of a list of hints, one for equal lists.
func (k *keeper) forZones(list []discoveryv1.ForZone) []discoveryv1.ForZone {
	if len(list) == 0 {
		return nil
	}
	for _, known := range k.zones {
		if slices.Equal(known, list) {
			return known
		}
	}
	copied := slices.Clone(list)
	k.zones[k.turn%len(k.zones)] = copied
	k.turn++
	return copied
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
