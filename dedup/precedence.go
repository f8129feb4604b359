package dedup

import (
	"cmp"

	"github.com/slicewright/slicewright/dedup/internal/decide"
)

// claim is what one slice says about an address and port number, as far as D2 looks at it. Each door has a type of its own
// for it, and all of them share the rules of this file.
type claim[C any] interface {
	target() Target
	use() decide.Usability
	// compareAge is negative where this claim's slice is older.
	compareAge(C) int
	// compareSlice orders by the slice's namespace and name.
	compareSlice(C) int
	// compareFields orders claims of one slice by all fields that the other methods do not look at; 0: nothing tells them apart.
	compareFields(C) int
}

// sameTarget reports whether both claims have a target and it is the same.
func sameTarget[C claim[C]](a, b C) bool {
	t := a.target()
	return t.identifies() && t.compareIdentity(b.target()) == 0
}

// compareFirst is the order of the first round, among claims with the same target: the newest, then as in the second.
func compareFirst[C claim[C]](a, b C) int {
	if c := b.compareAge(a); c != 0 {
		return c
	}
	return compareUse(a, b)
}

// compareUse is the order of the second round: the most useful, then the slice's name, then the other fields.
func compareUse[C claim[C]](a, b C) int {
	if c := cmp.Compare(b.use(), a.use()); c != 0 {
		return c
	}
	if c := a.compareSlice(b); c != 0 {
		return c
	}
	return a.compareFields(b)
}

// compareClaims puts claims with the same target side by side, each run of them in the order of the first round.
func compareClaims[C claim[C]](a, b C) int {
	if c := a.target().compareIdentity(b.target()); c != 0 {
		return c
	}
	return compareFirst(a, b)
}
