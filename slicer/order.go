package slicer

import (
	"slices"

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
	for i := range e.layout.slices {
		if e.layout.slices[i].updated() {
			updates = append(updates, int32(i))
		}
	}
	if len(updates) < 2 {
		return updates
	}
	slices.SortFunc(updates, func(a, b int32) int { return byName(e.present.slices[a].object, e.present.slices[b].object) })
	waits, choices := portWaits(&e.wanted, &e.present, &e.homes, &e.layout)
	waits = slices.Concat(homeWaits(&e.homes, &e.layout), waits, copyWaits(&e.wanted, &e.homes, &e.layout))
	return inSequence(updates, len(e.present.slices), waits, choices)
}

// inSequence orders the slices to update, which are sorted by name. The Earlier slice of a wait is updated or created, the
// Later one updated or deleted: what is created comes first and what is deleted comes last anyway, so only waits between
// two updates count. Choices are between updates; their lists are renumbered in place.
func inSequence(updates []int32, all int, waits []sequence.Wait, choices []sequence.Choice) []int32 {
	if len(waits)+len(choices) == 0 {
		return updates
	}
	numbers := make([]int, all) // from 1; 0: not an update
	for n, i := range updates {
		numbers[i] = n + 1
	}
	var between []sequence.Wait
	for _, w := range waits {
		if w.Earlier < all && numbers[w.Later] > 0 {
			between = append(between, sequence.Wait{Later: numbers[w.Later] - 1, Earlier: numbers[w.Earlier] - 1, Rank: w.Rank})
		}
	}
	for _, c := range choices {
		for _, list := range [][]int{c.Later, c.Earlier} {
			for j, i := range list {
				list[j] = numbers[i] - 1
			}
		}
	}
	ordered := make([]int32, len(updates))
	for place, n := range sequence.Order(len(updates), between, choices) {
		ordered[place] = updates[n]
	}
	return ordered
}
