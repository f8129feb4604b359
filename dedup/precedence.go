package dedup

import (
	"cmp"
	"slices"
	"strings"
)

// claim is what one slice says about an address and port number, as far as D2 looks at it. Each door has a type of its own
// for it, and all of them share the rules of this file.
type claim[C any] interface {
	target() Target
	use() merit
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

// identifies reports whether the target says which object it is.
func (t Target) identifies() bool { return t.UID != "" || t.Name != "" }

// compareIdentity orders targets by UID, else by name, kind and namespace. It is 0 for two targets that are one.
func (t Target) compareIdentity(u Target) int {
	switch {
	case t.UID != "" || u.UID != "":
		return cmp.Compare(t.UID, u.UID)
	case t.Name != u.Name:
		return strings.Compare(t.Name, u.Name)
	default:
		return cmp.Or(strings.Compare(t.Kind, u.Kind), strings.Compare(t.Namespace, u.Namespace))
	}
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

// decide returns the index of the winner among at least one claim, and may put them in another order.
func decide[C claim[C]](claims []C) int {
	switch len(claims) {
	case 1:
		return 0
	case 2: // as where an endpoint moves: which round it is, is plain
		order := 0
		if sameTarget(claims[0], claims[1]) {
			order = compareFirst(claims[0], claims[1])
		} else {
			order = compareUse(claims[0], claims[1])
		}
		if order <= 0 {
			return 0
		}
		return 1
	}
	slices.SortFunc(claims, compareClaims)
	best := 0
	for i := 1; i < len(claims); i++ {
		first := !sameTarget(claims[i-1], claims[i]) // wins the first round
		if first && compareUse(claims[i], claims[best]) < 0 {
			best = i
		}
	}
	return best
}
