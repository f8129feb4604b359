// Package decide chooses between claims to one address and port number, and says why the other
// claims lose. A claim is the copy of an endpoint in one slice. Claims with the same target are
// about one object, such as a Pod.
//
// In the first round, the newest claim of each target wins, because the endpoint moved or changed.
// In the second round, the winners of the first round are compared. These are about different
// objects, because an address may be used again. The claim of the most usable object wins.
//
// The claims are sorted by target. Claims with the same target are in the order of the first round.
// So the first claim of each target is the one that goes on to the second round:
//
//	target   age   usability   slice
//	none     3     serving     d       goes on: it stands for an object of its own
//	1        9     ready       b       goes on
//	1        7     ready       a       older slice
//	1        7     not ready   c       older slice
//	2        8     not ready   e       goes on
//
// The second round chooses among the claims that go on. The claim in slice b wins, because the one
// in d is only serving, and the one in e is not ready.
//
// If claims with the same target are equally new, the first round uses the order of the second
// round: the most usable claim comes first, then the slice whose name sorts first, then the fields
// that sort first.
//
// Each round uses a total order. A single rule for all pairs of claims would not be a total order.
// For example, let the newer claim win if the targets are equal, and the more usable claim
// otherwise:
//
//	a  target 1, old, ready          beats b: more usable
//	b  target 2, old, serving        beats c: more usable
//	c  target 1, new, terminating    beats a: newer
//
// With the two rounds, b wins: c is newer than a, and shows that the object of both terminates.
package decide

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup/internal/content"
)

// Claim has the properties of a claim by which claims are compared.
type Claim struct {
	From   *content.Origin
	Target *corev1.ObjectReference // nil if the claim stands for an object of its own
	State  conditions.State
}

// Claims are claims to one address and port number.
type Claims struct {
	List []Claim
	// Fields compares the endpoints behind two claims, given by their indexes, by the fields that
	// are not in Claim. It is called only if both claims are in one slice, or in slices without a
	// name.
	Fields func(i, j int32) int
}

// Loss is the index of a claim that lost, and the reason.
type Loss struct {
	Claim  int32
	Reason string
}

// Winner returns the index of the winning claim. Ties go to the first one. There must be a claim.
func (c *Claims) Winner() int32 {
	var few [16]int32 // so that up to 16 claims need no heap memory
	return c.best(c.sorted(few[:0]))
}

// Decide returns the index of the winning claim, and the other claims in the order of the second
// round. There must be a claim.
func (c *Claims) Decide() (winner int32, losers []Loss) {
	order := c.sorted(nil)
	winner = c.best(slices.Clone(order)) // a copy, because the loop needs all claims
	losers = make([]Loss, 0, len(order))
	newest := order[0] // the winner of the first round for the target of claim i
	for _, i := range order {
		if !c.sameTarget(newest, i) {
			newest = i
		}
		if i != winner {
			losers = append(losers, Loss{i, c.why(winner, newest, i)})
		}
	}
	slices.SortFunc(losers, func(a, b Loss) int { return c.second(a.Claim, b.Claim) })
	return winner, losers
}

// why returns why a claim lost, either to the winner or to the newest claim of its target.
func (c *Claims) why(winner, newest, loser int32) string {
	if loser == newest { // it lost in the second round
		return reason(c.List[winner].State, c.List[loser].State)
	}
	// It lost in the first round: it is older, or comes later in the order of the second round.
	if c.List[newest].From.Age.Compare(&c.List[loser].From.Age) != 0 {
		return "OlderSlice"
	}
	return reason(c.List[newest].State, c.List[loser].State)
}

// reason returns why a claim comes after the winner in the order of the second round, given the
// states of both.
func reason(winner, loser conditions.State) string {
	switch {
	case loser.Terminating && !winner.Terminating:
		return "Terminating"
	case winner.Ready && !loser.Ready:
		return "NotReady"
	case winner.Serving && !loser.Serving:
		return "NotServing"
	default:
		return "LaterName"
	}
}

// sorted appends the indexes of all claims. They are sorted by target, and claims with the same
// target are in the order of the first round.
func (c *Claims) sorted(order []int32) []int32 {
	for i := range c.List {
		order = append(order, int32(i))
	}
	slices.SortFunc(order, func(i, j int32) int {
		a, b := &c.List[i], &c.List[j]
		if first := cmp.Or(CompareTargets(a.Target, b.Target), b.From.Age.Compare(&a.From.Age)); first != 0 {
			return first
		}
		return c.second(i, j)
	})
	return order
}

// best takes the first claim of each target, and returns the best of these in the order of the
// second round. It changes the list order.
func (c *Claims) best(order []int32) int32 {
	return slices.MinFunc(slices.CompactFunc(order, c.sameTarget), c.second)
}

// sameTarget reports whether two claims are about one object. A target without UID and name may be
// any object, so it is not equal to any target.
func (c *Claims) sameTarget(i, j int32) bool {
	t := c.List[i].Target
	return t != nil && (t.UID != "" || t.Name != "") && CompareTargets(t, c.List[j].Target) == 0
}

// CompareTargets orders targets by UID if one of them has a UID, and else by name, kind and
// namespace. It is 0 for equal targets, and for two that have neither UID nor name. nil has
// neither.
func CompareTargets(t, u *corev1.ObjectReference) int {
	if t == nil || u == nil {
		t = cmp.Or(t, &noTarget)
		u = cmp.Or(u, &noTarget)
	}
	if t.UID != "" || u.UID != "" {
		return cmp.Compare(t.UID, u.UID)
	}
	return cmp.Or(strings.Compare(t.Name, u.Name), strings.Compare(t.Kind, u.Kind),
		strings.Compare(t.Namespace, u.Namespace))
}

var noTarget corev1.ObjectReference

// second is the order of the second round.
func (c *Claims) second(i, j int32) int {
	a, b := &c.List[i], &c.List[j]
	if d := cmp.Or(content.CompareUsability(a.State, b.State), content.CompareNames(a.From.Name, b.From.Name)); d != 0 {
		return d
	}
	return cmp.Or(c.Fields(i, j), cmp.Compare(i, j))
}
