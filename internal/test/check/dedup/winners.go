package dedup

import (
	"slices"

	"github.com/slicewright/slicewright/dedup"
)

// winners returns the claims that may win a place by D2: those that nothing beats. They are several
// only where claims of one slice differ in fields that D2 does not order.
func (c claims) winners(at place) []claim {
	first := unbeaten(c.places[at], func(a, b claim) bool {
		if !sameTargetRef(a.endpoint.Target, b.endpoint.Target) {
			return false
		}
		if a.newness != b.newness {
			return a.newness > b.newness
		}
		return moreUseful(a.endpoint, b.endpoint)
	})
	return unbeaten(first, func(a, b claim) bool { return moreUseful(a.endpoint, b.endpoint) })
}

// unbeaten returns the claims that no other one beats.
func unbeaten(all []claim, beats func(a, b claim) bool) []claim {
	var left []claim
	for _, b := range all {
		if !slices.ContainsFunc(all, func(a claim) bool { return beats(a, b) }) {
			left = append(left, b)
		}
	}
	return left
}

// sameTargetRef is by UID, else by kind, namespace and name; an endpoint that refers to nothing is
// like no other.
func sameTargetRef(a, b dedup.Target) bool {
	if a.UID != "" || b.UID != "" {
		return a.UID == b.UID
	}
	return a.Name != "" && a == b
}

// lostFor reports whether what a reason says of a loser is so.
func lostFor(reason dedup.LossReason, loser claim, all []claim) bool {
	older := slices.ContainsFunc(all, func(c claim) bool {
		return sameTargetRef(c.endpoint.Target, loser.endpoint.Target) && c.newness > loser.newness
	})
	state := loser.endpoint.State
	switch reason {
	case dedup.OlderSlice:
		return older
	case dedup.Terminating:
		return !older && state.Terminating
	case dedup.NotReady:
		return !older && !state.Ready
	case dedup.NotServing:
		return !older && !state.Serving
	}
	return !older
}

// moreUseful is the second round: not terminating, then ready, then serving, then the slice's name.
func moreUseful(a, b dedup.Endpoint) bool {
	for _, better := range [][2]bool{
		{!a.State.Terminating, !b.State.Terminating}, {a.State.Ready, b.State.Ready},
		{a.State.Serving, b.State.Serving},
	} {
		if better[0] != better[1] {
			return better[0]
		}
	}
	return a.Slice < b.Slice
}
