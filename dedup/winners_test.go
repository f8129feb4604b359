package dedup_test

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/dedup"
)

// winners returns the claims that may win by D2: those that nothing beats. They are several
// only where claims of one slice differ in fields that D2 does not order.
func winners(all []claim) []claim {
	first := unbeaten(all, func(a, b claim) bool {
		if !sameTargetRef(targetOf(a.endpoint), targetOf(b.endpoint)) {
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
func sameTargetRef(a, b corev1.ObjectReference) bool {
	if a.UID != "" || b.UID != "" {
		return a.UID == b.UID
	}
	return a.Name != "" && a == b
}

// moreUseful is the second round: not terminating, then ready, then serving, then the slice's name.
func moreUseful(a, b dedup.Endpoint) bool {
	for _, better := range [][2]bool{
		{!a.Conditions.Terminating, !b.Conditions.Terminating}, {a.Conditions.Ready, b.Conditions.Ready},
		{a.Conditions.Serving, b.Conditions.Serving},
	} {
		if better[0] != better[1] {
			return better[0]
		}
	}
	return a.Slice < b.Slice
}
