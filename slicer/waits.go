package slicer

import (
	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/layout"
	"github.com/slicewright/slicewright/slicer/internal/sequence"
)

// homeWaits are the waits of rule (1) of G6: a slice that an endpoint leaves waits for the slice that takes it, even if
// that one holds a copy already. They have no cycles, because a slice that endpoints leave takes none of its group: it
// keeps the maximum, or it dissolves and the group has enough room without it.
//
// An endpoint that is published always has a place: where nothing can be created, none leaves its home.
//
// An endpoint that is at home in a slice only because the slice was to take the endpoint's ports is not published there
// yet. Rule (2) is for it.
func homeWaits(h *homes, l *layout.Layout) []sequence.Wait {
	var waits []sequence.Wait
	for i, to := range l.Places {
		if at := &h.items[i]; at.published && to != layout.Place(at.slice) {
			waits = append(waits, sequence.Wait{Later: int(at.slice), Earlier: int(to), Rank: sequence.Strict})
		}
	}
	return waits
}

// copyWaits are the waits of rule (3) of G6: a slice that gives up a good copy of an endpoint waits for the slice that
// will hold the endpoint, where that one has no good copy of its own yet. An endpoint that has copies always has a place, as
// homeWaits says of published ones.
func copyWaits(w *wanted, h *homes, l *layout.Layout) []sequence.Wait {
	if len(h.copies) == 0 {
		return nil
	}
	safe := map[int32]bool{} // items of which the slice that will hold them has a good copy
	for _, c := range h.copies {
		if layout.Place(c.slice) == l.Places[c.item] && c.good(w) {
			safe[c.item] = true
		}
	}
	var waits []sequence.Wait
	for _, c := range h.copies {
		if !safe[c.item] && c.good(w) {
			waits = append(waits, sequence.Wait{Later: int(c.slice), Earlier: int(l.Places[c.item]), Rank: sequence.Soft})
		}
	}
	return waits
}

// good reports whether the copy has the wanted addresses and, if the endpoint is wanted ready, is ready.
func (c *copied) good(w *wanted) bool {
	e, wanted := c.endpoint, w.items[c.item].Endpoint
	return endpoint.SameAddressList(e.Addresses, wanted.Addresses) &&
		(conditions.Of(e.Conditions).Ready || !conditions.Of(wanted.Conditions).Ready)
}
