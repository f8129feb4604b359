package slicer

import "github.com/slicewright/slicewright/slicer/internal/sequence"

// homeWaits are the waits of rule (1) of G6: a slice that an endpoint leaves waits for the slice that takes it, even if
// that one holds a copy already. They have no cycles, because a slice that endpoints leave takes none of its group: it
// keeps the maximum, or it dissolves and the group has enough room without it.
//
// An endpoint that is published always has a place: where nothing can be created, none leaves its home.
//
// An endpoint that is at home in a slice only because the slice was to take the endpoint's ports is not published there
// yet. Rule (2) is for it.
func homeWaits(h homes, l layout) []sequence.Wait {
	var waits []sequence.Wait
	for i, to := range l.places {
		if at := &h.items[i]; at.published && to != at.slice {
			waits = append(waits, sequence.Wait{Later: int(at.slice), Earlier: int(to), Rank: sequence.Strict})
		}
	}
	return waits
}
