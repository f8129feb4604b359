package slicer

import (
	"slices"

	"github.com/slicewright/slicewright/slicer/internal/layout"
	"github.com/slicewright/slicewright/slicer/internal/sequence"
)

// updateOrder lists the slices to update, so that no endpoint is missing after any of them (G6): by name, except that a
// slice comes after those that it waits for. There are three rules, and the earlier one wins:
//
//	homeWaits  (1) a slice that an endpoint leaves waits for the one that takes it
//	portWaits  (2) a slice that holds an endpoint on old ports waits for one that takes it on new ones
//	copyWaits  (3) a slice that gives up a good copy of an endpoint waits for the one that will hold it
//
// Package sequence says what becomes of waits that contradict each other.
func (e *emission) updateOrder() []int32 {
	var updates []int32
	for i := range e.layout.Slices {
		if e.layout.Slices[i].Updated() {
			updates = append(updates, int32(i))
		}
	}
	if len(updates) < 2 {
		return updates
	}
	byPorts, choices := portWaits(&e.wanted, &e.present, &e.homes, &e.layout)
	waits := slices.Concat(homeWaits(&e.homes, &e.layout), byPorts, copyWaits(&e.wanted, &e.homes, &e.layout))
	// What is created comes first and what is deleted comes last anyway. So only waits between two updates count.
	waits = slices.DeleteFunc(waits, func(w sequence.Wait) bool {
		return layout.Place(w.Earlier).Created() || e.layout.Slices[w.Later].Outcome == layout.Deleted
	})
	if len(waits)+len(choices) == 0 {
		return updates
	}
	updates = updates[:0]
	for _, i := range sequence.Order(len(e.layout.Slices), waits, choices) {
		if e.layout.Slices[i].Updated() {
			updates = append(updates, int32(i))
		}
	}
	return updates
}
