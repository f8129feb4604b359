package decide

import (
	"cmp"
	"slices"
)

// Claim is what one slice says about an address and port number, as ranks. Only ranks of one call are compared.
type Claim struct {
	// Target is positive and the same for claims about one object. 0 is a claim about an object of its own.
	Target int32
	// Age is higher for newer slices.
	Age int32
	// Usability is the state of the endpoint.
	Usability Usability
	// Order is the rank of the claim by the name of its slice, and among claims of one slice by its other fields.
	Order int32
}

// Usability says how usable an endpoint is: one that does not terminate is more usable than one that does, then a ready one
// than one that is not, then a serving one.
type Usability uint8

const (
	Serving Usability = 1 << iota
	Ready
	Lasting // does not terminate
)

// Reason says why a claim lost. Its zero value is no reason.
type Reason uint8

const (
	_ Reason = iota
	// OlderSlice: a newer slice has a claim about the same target.
	OlderSlice
	// Terminating: the winner does not terminate.
	Terminating
	// NotReady: the winner is ready.
	NotReady
	// NotServing: the winner serves.
	NotServing
	// LaterName: the winner's slice comes first by name, or, of one slice, its fields do.
	LaterName
)

// Loss is a claim that lost, by its index, and the reason.
type Loss struct {
	Claim  int32
	Reason Reason
}

// Winner returns the index of the claim that wins, the first one of those that nothing tells apart. It does not change the
// claims, of which there must be one.
func Winner(claims []Claim) int32 {
	if len(claims) == 2 { // as where an endpoint moves: which round decides is plain
		compare := second
		if claims[0].sameTarget(&claims[1]) {
			compare = first
		}
		if compare(&claims[0], &claims[1]) > 0 {
			return 1
		}
		return 0
	}
	var few [16]int32
	return best(claims, sorted(claims, few[:0]))
}

// Decide returns the index of the claim that wins, and the other claims in the order of the second round.
func Decide(claims []Claim) (winner int32, losers []Loss) {
	order := sorted(claims, nil)
	best := best(claims, order)
	losers = make([]Loss, 0, len(claims))
	newest := order[0] // of the target at hand
	for _, i := range order {
		if !claims[newest].sameTarget(&claims[i]) {
			newest = i
		}
		if i != best {
			losers = append(losers, Loss{i, why(claims, best, newest, i)})
		}
	}
	slices.SortFunc(losers, func(a, b Loss) int {
		return cmp.Or(second(&claims[a.Claim], &claims[b.Claim]), cmp.Compare(a.Claim, b.Claim))
	})
	return best, losers
}

// why says why a claim lost, to the best one or to the newest of its target.
func why(claims []Claim, best, newest, loser int32) Reason {
	if loser == newest {
		return reason(&claims[best], &claims[loser])
	}
	if claims[newest].Age != claims[loser].Age {
		return OlderSlice
	}
	return reason(&claims[newest], &claims[loser])
}

// sorted appends the indexes of claims: those of one target side by side, each target in the order of the first round.
func sorted(claims []Claim, order []int32) []int32 {
	order = slices.Grow(order, len(claims))
	for i := range claims {
		order = append(order, int32(i))
	}
	slices.SortFunc(order, func(i, j int32) int {
		a, b := &claims[i], &claims[j]
		return cmp.Or(cmp.Compare(a.Target, b.Target), first(a, b), cmp.Compare(i, j))
	})
	return order
}

// best returns the best, by the second round, of the claims that come first for their targets.
func best(claims []Claim, order []int32) int32 {
	best := order[0]
	for n, i := range order[1:] {
		if !claims[order[n]].sameTarget(&claims[i]) && cmp.Or(second(&claims[i], &claims[best]), cmp.Compare(i, best)) == -1 {
			best = i
		}
	}
	return best
}

func (c *Claim) sameTarget(d *Claim) bool { return c.Target != 0 && c.Target == d.Target }

// first is the order of the first round, among claims with one target.
func first(a, b *Claim) int {
	if a.Age != b.Age {
		return cmp.Compare(b.Age, a.Age)
	}
	return second(a, b)
}

// second is the order of the second round.
func second(a, b *Claim) int {
	if a.Usability != b.Usability {
		return cmp.Compare(b.Usability, a.Usability)
	}
	return cmp.Compare(a.Order, b.Order)
}

// reason says why a claim comes after the winner in the order of the second round.
func reason(winner, loser *Claim) Reason {
	lost := winner.Usability &^ loser.Usability
	if lost&Lasting != 0 {
		return Terminating
	}
	if lost&Ready != 0 {
		return NotReady
	}
	if lost&Serving != 0 {
		return NotServing
	}
	return LaterName
}

// Rank sets one field of claims, which is 0 in all of them, to their ranks: the first claims of an order have rank 0, and claims that
// compare equal, by their indexes, have one rank.
func Rank(claims []Claim, field func(*Claim) *int32, compare func(i, j int) int) {
	if len(claims) == 2 { // as where an endpoint moves
		if order := compare(0, 1); order > 0 {
			*field(&claims[0]) = 1
		} else if order < 0 {
			*field(&claims[1]) = 1
		}
		return
	}
	var few [16]int
	order := slices.Grow(few[:0], len(claims))
	for i := range claims {
		order = append(order, i)
	}
	slices.SortFunc(order, compare)
	rank := int32(0)
	for k, i := range order {
		if k > 0 && compare(order[k-1], i) != 0 {
			rank++
		}
		*field(&claims[i]) = rank
	}
}
