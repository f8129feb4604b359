package dedup

import (
	"cmp"
	"slices"
	"strings"
)

// candidate is one slice's account of an address and port.
type candidate struct {
	record *record
	age    age
	why    LossReason
}

// LossReason says why an endpoint lost, to another one of its targetRef (D2's first round) or to the winner.
type LossReason uint8

const (
	// OlderSlice: a newer slice holds the same targetRef here, as the winner or as another loser.
	OlderSlice LossReason = iota
	// Terminating: the winner does not terminate.
	Terminating
	// NotReady: the winner is ready.
	NotReady
	// NotServing: the winner serves.
	NotServing
	// LaterName: nothing better tells them apart, and the winner's slice comes first by name.
	LaterName
	// LaterFields: they are of one slice, and the winner's fields come first.
	LaterFields
)

// decide puts the winner first, and after it the others in the order of compareUse, each with the reason it lost for.
// The order of the input does not count. There must be at least one.
func decide(all []candidate) {
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(compareIdentity(a.record, b.record), compareFirst(a, b))
	})
	// First round: the first of each run of one targetRef. Entries without one are runs of their own.
	for i := 0; i < len(all); {
		j := i + 1
		for ; j < len(all) && sameTarget(all[i].record, all[j].record); j++ {
			all[j].why = lossTo(all[i], all[j])
		}
		i = j
	}
	// Second round: the best of those.
	best := 0
	first := func(i int) bool { return i == 0 || !sameTarget(all[i-1].record, all[i].record) }
	for i := range all {
		if first(i) && compareUse(all[i].record, all[best].record) < 0 {
			best = i
		}
	}
	for i := range all {
		if first(i) && i != best {
			all[i].why = lossOf(all[best].record, all[i].record)
		}
	}
	all[0], all[best] = all[best], all[0]
	slices.SortFunc(all[1:], func(a, b candidate) int { return compareUse(a.record, b.record) })
}

// compareFirst is the order of the first round: the newest, then as in the second.
func compareFirst(a, b candidate) int {
	if c := b.age.compare(a.age); c != 0 {
		return c
	}
	return compareUse(a.record, b.record)
}

// compareUse is the order of the second round: the most useful, then the slice's name, then the other fields.
func compareUse(a, b *record) int {
	if c := cmp.Compare(b.merit, a.merit); c != 0 {
		return c
	}
	if c := strings.Compare(a.source.slice, b.source.slice); c != 0 {
		return c
	}
	return compareFields(a, b)
}

// compareIdentity puts records of the same target side by side.
func compareIdentity(a, b *record) int {
	if a.uid != "" || b.uid != "" {
		return cmp.Compare(a.uid, b.uid)
	}
	return compareTargets(a, b)
}

// sameTarget reports whether both have a targetRef and it is the same: by UID, else by kind, namespace and name.
func sameTarget(a, b *record) bool {
	return (a.uid != "" || a.name != "") && compareIdentity(a, b) == 0
}

func lossTo(winner, loser candidate) LossReason {
	if winner.age.compare(loser.age) != 0 {
		return OlderSlice
	}
	return lossOf(winner.record, loser.record)
}

func lossOf(winner, loser *record) LossReason {
	switch lost := winner.merit &^ loser.merit; {
	case lost&lasting != 0:
		return Terminating
	case lost&ready != 0:
		return NotReady
	case lost&serving != 0:
		return NotServing
	case winner.source.slice != loser.source.slice:
		return LaterName
	default:
		return LaterFields
	}
}
