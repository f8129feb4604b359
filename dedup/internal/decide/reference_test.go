package decide

import (
	"cmp"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// claim is a claim for the reference implementation. Claims of one slice are in the order of
// fields.
type claim struct {
	target     corev1.ObjectReference
	state      conditions.State
	age, slice string
	fields     int
}

// reference decides as the package comment says it, by looking at all pairs of claims.
type reference []claim

// rivals are the claims about the object of claim i, itself included. Two claims have one object if
// their targets are one, by UID, else by kind, namespace and name; a target without UID and name is
// no object's.
func (t reference) rivals(i int) (rivals []int) {
	for j := range t {
		a, b := t[i].target, t[j].target
		if i == j || a.UID != "" && a.UID == b.UID || a.Name != "" && a.UID == "" && a == b {
			rivals = append(rivals, j)
		}
	}
	return rivals
}

func (t reference) moreUsable(i, j int) bool {
	a, b := t[i], t[j]
	switch {
	case a.state.Terminating != b.state.Terminating:
		return b.state.Terminating
	case a.state.Ready != b.state.Ready:
		return a.state.Ready
	case a.state.Serving != b.state.Serving:
		return a.state.Serving
	default:
		return cmp.Or(cmp.Compare(a.slice, b.slice), cmp.Compare(a.fields, b.fields), cmp.Compare(i, j)) < 0
	}
}

func (t reference) newer(i, j int) bool {
	a, b := t[i].age, t[j].age
	return len(a) > len(b) || len(a) == len(b) && a > b || a == b && t.moreUsable(i, j)
}

// best returns the one of a list that is better than all others, and fails where there is none:
// then the order is not total.
func best(t rapid.TB, list []int, better func(i, j int) bool) int {
	for _, i := range list {
		if !slices.ContainsFunc(list, func(j int) bool { return i != j && !better(i, j) }) {
			return i
		}
	}
	t.Fatal("none is the best")
	return 0
}

func (t reference) reason(winner, loser int) string {
	a, b := t[winner].state, t[loser].state
	switch {
	case a.Terminating != b.Terminating:
		return "Terminating"
	case a.Ready != b.Ready:
		return "NotReady"
	case a.Serving != b.Serving:
		return "NotServing"
	default:
		return "LaterName"
	}
}

func (t reference) claims() *Claims {
	claims := &Claims{Fields: func(i, j int32) int { return 10 * (t[i].fields - t[j].fields) }}
	for _, c := range t {
		claims.List = append(claims.List, Claim{From: origins[c.slice][c.age], Target: &c.target, State: c.state})
	}
	return claims
}

// origins are those of all claims here, by the name and the age of the slice.
var origins = map[string]map[string]*content.Origin{}

func init() {
	for _, name := range []string{"a", "b", "c"} {
		origins[name] = map[string]*content.Origin{}
		for _, age := range []string{"", "1", "2", "9", "10"} {
			from := content.OriginOf(&discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{Name: name,
				ResourceVersion: age}})
			origins[name][age] = &from
		}
	}
}

// check compares a decision with that of the reference implementation.
func (t reference) check(tb rapid.TB) {
	newest, heads := make([]int, len(t)), []int(nil)
	for i := range t {
		if newest[i] = best(tb, t.rivals(i), t.newer); newest[i] == i {
			heads = append(heads, i)
		}
	}
	winner := best(tb, heads, t.moreUsable)
	claims := t.claims()
	if got := claims.Winner(); got != int32(winner) {
		tb.Fatalf("%+v: %d wins, want %d", t, got, winner)
	}
	again, losers := claims.Decide()
	if again != int32(winner) || len(losers) != len(t)-1 {
		tb.Fatalf("%+v: %d wins, over %d losers", t, again, len(losers))
	}
	for k, l := range losers {
		i := int(l.Claim)
		var want string
		switch head := newest[i]; {
		case head == i:
			want = t.reason(winner, i)
		case t[head].age != t[i].age:
			want = "OlderSlice"
		default:
			want = t.reason(head, i)
		}
		if i == winner || l.Reason != want || k > 0 && !t.moreUsable(int(losers[k-1].Claim), i) {
			tb.Fatalf("%+v: %d lost because of %s, want %s, in the order %v", t, i, l.Reason, want, losers)
		}
	}
}

var (
	serving      = conditions.State{Serving: true}
	ready        = conditions.State{Ready: true}
	readyServing = conditions.State{Ready: true, Serving: true}
	gone         = conditions.State{Terminating: true}
	goneServing  = conditions.State{Terminating: true, Serving: true}
	goneReady    = conditions.State{Terminating: true, Ready: true, Serving: true}
)

// TestTotalOrders decides about all lists of at most three claims, and of four with fewer ages and
// slices, in every order: one claim is the best in each round, and the package returns what the
// reference returns.
func TestTotalOrders(t *testing.T) {
	nightly.Slow(t)
	enumerate(t, nil, 3, everyClaim(gone, goneServing, goneReady, serving, ready, conditions.State{}))
	enumerate(t, nil, 4, everyClaim(goneReady, ready)[8:])
}

// everyClaim lists claims with few targets, ages, slices and fields, each with each.
func everyClaim(states ...conditions.State) (all []claim) {
	for target, name := range []string{"", "p", "q"} {
		for _, state := range states {
			for bits := range 8 {
				if target == 2 && bits != 0 {
					break // one claim about a second object will do
				}
				all = append(all, claim{
					target: corev1.ObjectReference{Name: name}, state: state, age: []string{"9", "10"}[bits&1],
					slice: []string{"a", "a", "b", "b"}[bits>>1], fields: bits >> 1 & 1,
				})
			}
		}
	}
	return all
}

func enumerate(t *testing.T, claims reference, left int, all []claim) {
	if len(claims) > 0 {
		claims.check(t)
	}
	if left == 0 {
		return
	}
	for _, c := range all {
		enumerate(t, append(claims[:len(claims):len(claims)], c), left-1, all)
	}
}

// TestTargets decides about more claims, whose targets differ in UID, kind, namespace or name
// alone.
func TestTargets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reference(rapid.SliceOfN(rapid.Custom(drawClaim), 1, 20).Draw(t, "claims")).check(t)
	})
}

// drawClaim is for rapid.Custom, so that a failure prints the claims on one line.
func drawClaim(t *rapid.T) claim {
	return claim{
		target: corev1.ObjectReference{
			Kind:      rapid.SampledFrom([]string{"Pod", "VM"}).Draw(t, "kind"),
			Namespace: rapid.SampledFrom([]string{"", "ns"}).Draw(t, "namespace"),
			Name:      rapid.SampledFrom([]string{"", "p", "q"}).Draw(t, "name"),
			UID:       rapid.SampledFrom([]types.UID{"", "", "u", "v"}).Draw(t, "uid"),
		},
		state:  rapid.SampledFrom([]conditions.State{readyServing, serving, goneServing}).Draw(t, "state"),
		age:    rapid.SampledFrom([]string{"", "9", "10"}).Draw(t, "age"),
		slice:  rapid.SampledFrom([]string{"a", "b"}).Draw(t, "slice"),
		fields: rapid.IntRange(0, 2).Draw(t, "fields"),
	}
}

// TestCompareTargets: the UID decides if one of the targets has one, and then the name, the kind
// and the namespace. Each line comes before the next one.
func TestCompareTargets(t *testing.T) {
	list := []corev1.ObjectReference{
		{},
		{Name: "p"},
		{Name: "p", Kind: "Pod", Namespace: "z"},
		{Name: "p", Kind: "VM"},
		{Name: "p", Kind: "VM", Namespace: "ns"},
		{Name: "q", Kind: "Pod"},
		{Name: "b", Kind: "Pod", UID: "u"},
		{Name: "a", Kind: "Pod", UID: "v"},
	}
	for i := range list {
		for j := range list {
			if got := CompareTargets(&list[i], &list[j]); got != cmp.Compare(i, j) {
				t.Errorf("%+v and %+v compare as %d", list[i], list[j], got)
			}
		}
	}
	if CompareTargets(nil, &list[0]) != 0 || CompareTargets(nil, nil) != 0 || CompareTargets(nil, &list[1]) >= 0 {
		t.Error("nil is not the target without name and UID")
	}
	if CompareTargets(&corev1.ObjectReference{Name: "a", UID: "u"}, &corev1.ObjectReference{Name: "b", UID: "u"}) != 0 {
		t.Error("one UID with two names is two targets")
	}
}

// TestReasons: a claim that is like the winner in everything that is compared first has the reason
// of what differs.
func TestReasons(t *testing.T) {
	for _, row := range []struct {
		winner, loser conditions.State
		want          string
	}{
		{gone, gone, "LaterName"},
		{conditions.State{}, conditions.State{}, "LaterName"},
		{ready, ready, "LaterName"},
		{goneServing, gone, "NotServing"},
		{readyServing, serving, "NotReady"},
		{conditions.State{}, goneReady, "Terminating"},
	} {
		if got := reason(row.winner, row.loser); got != row.want {
			t.Errorf("%+v beats %+v because of %s, want %s", row.winner, row.loser, got, row.want)
		}
	}
}

// TestOnePairwiseRuleIsCyclic shows why D2 has two rounds: the newer one among equal targets, the
// more usable one among others, applied to pairs, goes round in circles. The claims are those of
// the package comment.
func TestOnePairwiseRuleIsCyclic(t *testing.T) {
	a := claim{target: corev1.ObjectReference{Name: "p"}, age: "1", state: ready, slice: "a"}
	b := claim{target: corev1.ObjectReference{Name: "q"}, age: "1", state: serving, slice: "b"}
	c := claim{target: corev1.ObjectReference{Name: "p"}, age: "2", state: goneServing, slice: "c"}
	for _, pair := range []reference{{a, b}, {b, c}, {c, a}} {
		if pair.claims().Winner() != 0 {
			t.Errorf("%+v: the second one wins", pair)
		}
	}
	for _, order := range []reference{{a, b, c}, {c, b, a}, {b, a, c}} {
		if got := order[order.claims().Winner()]; got != b {
			t.Errorf("%+v wins; want b: its rival's object moved to c, where it terminates", got)
		}
	}
}
