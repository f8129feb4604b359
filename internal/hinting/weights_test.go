package hinting_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/internal/hinting"
)

// TestNodesMatter: NodesMatter says no exactly if weights are the same with either Node, whatever
// others there are.
func TestNodesMatter(t *testing.T) {
	pick := func(r *rand.Rand, list ...string) string { return list[r.IntN(len(list))] }
	draw := func(r *rand.Rand) *corev1.Node {
		if r.IntN(8) == 0 {
			return nil
		}
		n := node(pick(r, "n1", "n1", "n2"), pick(r, "", "a", "a", "b"),
			pick(r, "", "0", "2", "2", "2000m", "9223372036854775807"))
		switch r.IntN(8) {
		case 0:
			n.Labels["node-role.kubernetes.io/control-plane"] = ""
		case 1:
			n.Status.Conditions[0].Status = corev1.ConditionUnknown
		case 2:
			n.Status.Conditions = nil
		case 3:
			n.Spec.Unschedulable = true
		}
		n.ResourceVersion = pick(r, "1", "2")
		return n
	}
	r, same := rand.New(rand.NewPCG(5, 6)), 0
	for range 20000 {
		old, new, others := draw(r), draw(r), []*corev1.Node{draw(r), draw(r)}
		var filter func(*corev1.Node) bool
		if r.IntN(2) == 0 {
			filter = func(n *corev1.Node) bool { return !n.Spec.Unschedulable }
		}
		equal := cmp.Equal(hinting.NodeWeights(append(others, old), filter),
			hinting.NodeWeights(append(others, new), filter))
		if hinting.NodesMatter(old, new, filter) == equal {
			t.Fatalf("the weights are the same: %v, and NodesMatter says so, too, for\n%v\n%v", equal, old, new)
		} else if equal {
			same++
		}
	}
	if same < 1000 {
		t.Errorf("NodesMatter was false only %d times", same)
	}
}

// TestWeightsAreBounded: no Node counts for more than 2^27 thousandths of a CPU, so that the sum
// for any cluster is a valid weight, and none for less than nothing.
func TestWeightsAreBounded(t *testing.T) {
	for cpu, want := range map[string]int64{"9Ei": 1 << 27, "134217": 134217000, "134218": 1 << 27, "1m": 1} {
		got := hinting.NodeWeights([]*corev1.Node{node("n", "a", cpu)}, nil)
		if got.Zones["a"] != want || (hinting.Options{Weights: got}).Validate(nil) != nil {
			t.Errorf("CPU %s: weights %v, want %d", cpu, got.Zones, want)
		}
	}
}

// TestProblemsInAnyOrder: the order of the Nodes does not count, not even of Nodes of one name with
// several problems.
func TestProblemsInAnyOrder(t *testing.T) {
	a, b := node("n", "", "1"), node("n", "a", "")
	one, other := hinting.NodeWeights([]*corev1.Node{a, b}, nil), hinting.NodeWeights([]*corev1.Node{b, a}, nil)
	if d := cmp.Diff(one, other); d != "" || len(one.Problems) != 2 {
		t.Errorf("problems %v, in the other order:\n%s", one.Problems, d)
	}
}
