package dedup

import (
	"slices"

	"github.com/slicewright/slicewright/dedup/internal/decide"
)

// LossReason says why an endpoint lost, to another one of its targetRef (D2's first round) or to the winner.
type LossReason string

const (
	// OlderSlice: a newer slice holds the same targetRef here, as the winner or as another loser.
	OlderSlice LossReason = "OlderSlice"
	// Terminating: the winner does not terminate.
	Terminating LossReason = "Terminating"
	// NotReady: the winner is ready.
	NotReady LossReason = "NotReady"
	// NotServing: the winner serves.
	NotServing LossReason = "NotServing"
	// LaterName: nothing better tells them apart, and the winner's slice comes first by name.
	LaterName LossReason = "LaterName"
	// LaterFields: they are of one slice, and the winner's fields come first.
	LaterFields LossReason = "LaterFields"
)

// loss is a claim that lost, and the reason.
type loss[C any] struct {
	claim C
	why   LossReason
}

// losers returns all claims but the winner's, in the order of compareUse.
func (c contest[C]) losers() []loss[C] {
	var list []loss[C]
	winner, champion, started := c.winner(), c.claims.Least(), false
	for x := range c.claims.All {
		first := !started || !sameTarget(champion, x)
		if first {
			champion, started = x, true
		}
		switch {
		case first && compareClaims(x, winner) == 0:
		case first:
			list = append(list, loss[C]{x, reasonOf(winner, x)})
		case champion.compareAge(x) != 0:
			list = append(list, loss[C]{x, OlderSlice})
		default:
			list = append(list, loss[C]{x, reasonOf(champion, x)})
		}
	}
	slices.SortFunc(list, func(a, b loss[C]) int { return compareUse(a.claim, b.claim) })
	return list
}

// reasonOf says why a claim comes after the winner in the order of compareUse.
func reasonOf[C claim[C]](winner, loser C) LossReason {
	switch lost := winner.use() &^ loser.use(); {
	case lost&decide.Lasting != 0:
		return Terminating
	case lost&decide.Ready != 0:
		return NotReady
	case lost&decide.Serving != 0:
		return NotServing
	case winner.compareSlice(loser) != 0:
		return LaterName
	default:
		return LaterFields
	}
}
