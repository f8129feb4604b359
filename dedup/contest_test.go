package dedup

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestContestIsDecide adds, removes and renews claims in any order: the winner is the one that winnerOf finds among all of them,
// and renew says that nothing changed only where all win and lose for the same reasons as before.
func TestContestIsDecide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c contest[candidate]
		var list []candidate
		for range rapid.IntRange(1, 25).Draw(t, "events") {
			before, copied := c, slices.Clone(list)
			switch rapid.IntRange(0, 3).Draw(t, "event") {
			case 0, 1:
				x := drawCandidates(t, 1)[0]
				if slices.ContainsFunc(list, func(y candidate) bool { return alike(x, y) }) {
					continue
				}
				list, c = append(list, x), c.add(x)
			case 2:
				if len(list) > 0 {
					at := rapid.IntRange(0, len(list)-1).Draw(t, "index")
					c, list = c.remove(list[at]), slices.Delete(list, at, at+1)
				}
			default:
				if len(list) > 0 {
					c = renewOne(t, c, list, rapid.IntRange(0, len(list)-1).Draw(t, "index"))
				}
			}
			checkContest(t, c, list)
			checkContest(t, before, copied)
		}
	})
}

// renewOne gives a claim another age, in the contest and in the list.
func renewOne(t *rapid.T, c contest[candidate], list []candidate, at int) contest[candidate] {
	renewed := candidate{record: list[at].record, age: drawAge(t)}
	if slices.ContainsFunc(list, func(y candidate) bool { return alike(renewed, y) }) {
		return c
	}
	next, same := c.renew(list[at], renewed)
	if same && (next.winner().record != c.winner().record || !slices.EqualFunc(next.losers(), c.losers(), func(a, b loss[candidate]) bool {
		return a.claim.record == b.claim.record && a.why == b.why
	})) {
		t.Fatalf("renew says that nothing changed:\n%v\n%v", c.losers(), next.losers())
	}
	list[at] = renewed
	return next
}

// alike reports whether two claims cannot be told apart, or only by an age: one slice has one age, so no input has both.
func alike(a, b candidate) bool { return compareClaims(a, b) == 0 || compareUse(a, b) == 0 }

func checkContest(t *rapid.T, c contest[candidate], list []candidate) {
	if len(list) == 0 {
		if !c.claims.Empty() || !c.winners.Empty() {
			t.Fatal("claims are left")
		}
		return
	}
	all := slices.Clone(list)
	want := all[winnerOf(all)]
	if c.winner() != want {
		t.Fatalf("%v wins, want %v", *c.winner().record, *want.record)
	}
	losers := c.losers()
	if len(losers) != len(list)-1 {
		t.Fatalf("%d losers of %d claims", len(losers), len(list))
	}
	for i, l := range losers {
		if i > 0 && compareUse(losers[i-1].claim, l.claim) > 0 {
			t.Fatal("losers are not in the order of their use")
		}
		if why := wantedReason(all, want, l.claim); l.why != why {
			t.Fatalf("%v lost because of %v, want %v", *l.claim.record, l.why, why)
		}
	}
}

// wantedReason says in words of its own why a claim lost.
func wantedReason(all []candidate, winner, loser candidate) LossReason {
	rivals := []candidate{}
	for _, c := range all {
		if sameTarget(loser, c) {
			rivals = append(rivals, c)
		}
	}
	if len(rivals) > 0 {
		if best := slices.MinFunc(rivals, compareFirst); best != loser {
			if best.compareAge(loser) != 0 {
				return OlderSlice
			}
			winner = best
		}
	}
	a, b := stateOf(winner.record.usability()), stateOf(loser.record.usability())
	switch {
	case a.Terminating != b.Terminating:
		return Terminating
	case a.Ready != b.Ready:
		return NotReady
	case a.Serving != b.Serving:
		return NotServing
	case winner.record.source().slice != loser.record.source().slice:
		return LaterName
	default:
		return LaterFields
	}
}

// winnerOf returns the index of the winner among at least one claim, and may put them in another order.
func winnerOf[C claim[C]](claims []C) int {
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
