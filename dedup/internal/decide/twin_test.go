package decide_test

import (
	"slices"
	"testing"

	"github.com/slicewright/slicewright/dedup/internal/decide"
)

// twin decides as the package comment says it, by looking at all pairs of claims.
type twin []decide.Claim

// rivals are the claims about the object of claim i, itself included.
func (t twin) rivals(i int) (rivals []int) {
	for j := range t {
		if i == j || t[i].Target != 0 && t[i].Target == t[j].Target {
			rivals = append(rivals, j)
		}
	}
	return rivals
}

func (t twin) moreUsable(i, j int) bool {
	a, b := t[i], t[j]
	for _, flag := range []decide.Usability{decide.Lasting, decide.Ready, decide.Serving} {
		if a.Usability&flag != b.Usability&flag {
			return a.Usability&flag != 0
		}
	}
	return a.Order < b.Order || a.Order == b.Order && i < j
}

func (t twin) newer(i, j int) bool {
	return t[i].Age > t[j].Age || t[i].Age == t[j].Age && t.moreUsable(i, j)
}

// best returns the one of a list that is better than all others, and fails where there is none: then the order is not total.
func best(t *testing.T, list []int, better func(i, j int) bool) int {
	for _, i := range list {
		if !slices.ContainsFunc(list, func(j int) bool { return i != j && !better(i, j) }) {
			return i
		}
	}
	t.Fatal("none is the best")
	return 0
}

func (t twin) reason(winner, loser int) decide.Reason {
	a, b := t[winner].Usability, t[loser].Usability
	switch {
	case a&decide.Lasting != b&decide.Lasting:
		return decide.Terminating
	case a&decide.Ready != b&decide.Ready:
		return decide.NotReady
	case a&decide.Serving != b&decide.Serving:
		return decide.NotServing
	default:
		return decide.LaterName
	}
}

// check compares a decision with the twin's.
func check(t *testing.T, claims []decide.Claim) {
	all := twin(claims)
	newest, heads := make([]int, len(all)), []int(nil)
	for i := range all {
		if newest[i] = best(t, all.rivals(i), all.newer); newest[i] == i {
			heads = append(heads, i)
		}
	}
	winner := best(t, heads, all.moreUsable)
	if got := decide.Winner(claims); got != int32(winner) {
		t.Fatalf("%+v: %d wins, want %d", claims, got, winner)
	}
	again, losers := decide.Decide(claims)
	if again != int32(winner) || len(losers) != len(claims)-1 {
		t.Fatalf("%+v: %d wins, over %d losers", claims, again, len(losers))
	}
	for k, l := range losers {
		i := int(l.Claim)
		var want decide.Reason
		switch head := newest[i]; {
		case head == i:
			want = all.reason(winner, i)
		case all[head].Age != all[i].Age:
			want = decide.OlderSlice
		default:
			want = all.reason(head, i)
		}
		if i == winner || l.Reason != want || k > 0 && !all.moreUsable(int(losers[k-1].Claim), i) {
			t.Fatalf("%+v: %d lost because of %d, want %d, in the order %v", claims, i, l.Reason, want, losers)
		}
	}
}

// TestTotalOrders decides about all lists of at most three claims, and of four with fewer ranks, in every order: somebody is
// the best in each round, and the package says what its twin says.
func TestTotalOrders(t *testing.T) {
	usabilities := []decide.Usability{0, decide.Serving, decide.Ready, decide.Ready | decide.Serving, decide.Lasting, decide.Lasting | decide.Ready}
	enumerate(t, nil, 3, everyClaim(usabilities))
	enumerate(t, nil, 4, everyClaim(usabilities[3:5])[8:])
}

// everyClaim lists claims with few targets, ages and orders, each with each.
func everyClaim(usabilities []decide.Usability) (all []decide.Claim) {
	for target := range int32(3) {
		for _, u := range usabilities {
			for bits := range int32(8) {
				if target == 2 && bits != 0 {
					break // one claim about a second object will do
				}
				all = append(all, decide.Claim{Target: target, Usability: u, Age: bits & 1, Order: bits >> 1})
			}
		}
	}
	return all
}

func enumerate(t *testing.T, claims []decide.Claim, left int, all []decide.Claim) {
	if len(claims) > 0 {
		check(t, claims)
	}
	if left == 0 {
		return
	}
	for _, c := range all {
		enumerate(t, append(claims[:len(claims):len(claims)], c), left-1, all)
	}
}

// TestOnePairwiseRuleIsCyclic shows why D2 has two rounds: the newer one among equal targets, the more usable one among others,
// applied to pairs, goes round in circles. The claims are those of the package comment.
func TestOnePairwiseRuleIsCyclic(t *testing.T) {
	a := decide.Claim{Target: 1, Age: 0, Usability: decide.Lasting | decide.Ready, Order: 0}
	b := decide.Claim{Target: 2, Age: 0, Usability: decide.Lasting | decide.Serving, Order: 1}
	c := decide.Claim{Target: 1, Age: 1, Usability: decide.Serving, Order: 2}
	for _, pair := range [][]decide.Claim{{a, b}, {b, c}, {c, a}} {
		if decide.Winner(pair) != 0 {
			t.Errorf("%+v: the second one wins", pair)
		}
	}
	for _, order := range [][]decide.Claim{{a, b, c}, {c, b, a}, {b, a, c}} {
		if got := order[decide.Winner(order)]; got != b {
			t.Errorf("%+v wins; want b: its rival's object moved to c, where it terminates", got)
		}
	}
}

// TestRank: ranks are in the order, and equal for what compares equal.
func TestRank(t *testing.T) {
	for _, list := range [][]int{{}, {5}, {5, 5}, {5, 7}, {7, 5}, {3, 9, 3, 1, 9, 4}} {
		claims := make([]decide.Claim, len(list))
		decide.Rank(claims, func(c *decide.Claim) *int32 { return &c.Age }, func(i, j int) int { return 10 * (list[i] - list[j]) })
		for i := range list {
			for j := range list {
				if (list[i] < list[j]) != (claims[i].Age < claims[j].Age) {
					t.Errorf("%v: ranks %v", list, claims)
				}
			}
		}
	}
}
