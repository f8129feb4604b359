package decide

import (
	"cmp"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/conditions"
)

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

// TestReason: the first condition by which the winner comes before the loser is the reason.
func TestReason(t *testing.T) {
	ready, gone := conditions.New(true, false, false), conditions.New(true, true, false)
	for _, c := range []struct {
		winner, loser conditions.State
		want          string
	}{
		{ready, gone, "Terminating"},
		{gone, conditions.New(false, true, false), "NotServing"},
		{ready, conditions.New(false, false, false), "NotReady"},
		{conditions.New(false, false, false), ready, "LaterName"},
	} {
		if got := reason(c.winner, c.loser); got != c.want {
			t.Errorf("%+v comes before %+v: %s, want %s", c.winner, c.loser, got, c.want)
		}
	}
}
