package hints_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/hints"
)

func TestNodeWeights(t *testing.T) {
	tainted := node("n9", "a", "64")
	tainted.Spec.Taints = []corev1.Taint{{Key: "gpu", Effect: corev1.TaintEffectNoSchedule}}
	untainted := func(n *corev1.Node) bool { return len(n.Spec.Taints) == 0 }
	problem := func(name string, reason hints.Reason) hints.Problem {
		return hints.Problem{Node: name, Reason: reason}
	}
	zones := func(a, b int64) map[string]int64 { return map[string]int64{"a": a, "b": b} }
	two := []*corev1.Node{node("n1", "a", "2"), node("n2", "b", "1500m")}
	with := func(more ...*corev1.Node) []*corev1.Node { return append(two[:2:2], more...) }
	rows := []struct {
		why   string
		nodes []*corev1.Node
		o     hints.NodeOptions
		want  hints.Weights
	}{
		{"thousandths of a CPU", two, hints.NodeOptions{}, hints.Weights{Zones: zones(2000, 1500)}},
		{"no Node", nil, hints.NodeOptions{}, hints.Weights{Zones: map[string]int64{}}},
		{"taints are not looked at", with(tainted), hints.NodeOptions{}, hints.Weights{Zones: zones(66000, 1500)}},
		{"but by the caller's filter", with(tainted), hints.NodeOptions{Filter: untainted}, hints.Weights{Zones: zones(2000, 1500)}},
		{"a part of a thousandth is a whole one, not nothing", with(node("n3", "a", "100u")), hints.NodeOptions{}, hints.Weights{Zones: zones(2001, 1500)}},
		{"a Node counts for 134 000 CPUs at most", with(node("n3", "a", "9223372036854775807"), node("n4", "a", "4")), hints.NodeOptions{}, hints.Weights{Zones: zones(2000+1<<27+4000, 1500)}},
		{"a negative CPU is none", with(node("n3", "a", "-1")), hints.NodeOptions{},
			hints.Weights{Zones: zones(2000, 1500), Problems: []hints.Problem{problem("n3", hints.NodeWithoutCPU)}}},
		{"problems are sorted by Node", with(node("n4", "a", ""), node("n3", "", "1")), hints.NodeOptions{},
			hints.Weights{Zones: zones(2000, 1500), Problems: []hints.Problem{problem("n3", hints.NodeWithoutZone), problem("n4", hints.NodeWithoutCPU)}}},
		{"without zone and CPU, the zone is what is named", with(node("n3", "", "")), hints.NodeOptions{},
			hints.Weights{Zones: zones(2000, 1500), Problems: []hints.Problem{problem("n3", hints.NodeWithoutZone)}}},
		{"1500 of 5000 is 30 percent", with(node("n3", "", "1500m")), hints.NodeOptions{Tolerate: 30},
			hints.Weights{Zones: zones(2000, 1500), Tolerated: []hints.Problem{problem("n3", hints.NodeWithoutZone)}}},
		{"and more than 29", with(node("n3", "", "1500m")), hints.NodeOptions{Tolerate: 29},
			hints.Weights{Zones: zones(2000, 1500), Problems: []hints.Problem{problem("n3", hints.NodeWithoutZone)}}},
		{"what has no CPU is no part of it", with(node("n3", "a", "")), hints.NodeOptions{Tolerate: 1},
			hints.Weights{Zones: zones(2000, 1500), Tolerated: []hints.Problem{problem("n3", hints.NodeWithoutCPU)}}},
		{"more than all is all", []*corev1.Node{node("n3", "", "1")}, hints.NodeOptions{Tolerate: 101},
			hints.Weights{Zones: map[string]int64{}, Tolerated: []hints.Problem{problem("n3", hints.NodeWithoutZone)}}},
	}
	for _, row := range rows {
		before := make([]*corev1.Node, len(row.nodes))
		for i, n := range row.nodes {
			before[i] = n.DeepCopy()
		}
		nodes := append([]*corev1.Node{nil}, row.nodes...)
		rand.New(rand.NewPCG(1, 1)).Shuffle(len(nodes), func(i, k int) { nodes[i], nodes[k] = nodes[k], nodes[i] })
		if diff := cmp.Diff(row.want, hints.NodeWeights(nodes, row.o)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.why, diff)
		}
		for i, n := range row.nodes {
			if diff := cmp.Diff(before[i], n); diff != "" {
				t.Errorf("%s: Node changed (-before +after):\n%s", row.why, diff)
			}
		}
	}
}

// TestNodesMatter: if NodesMatter says no, weights are the same with either Node, whatever others there are.
func TestNodesMatter(t *testing.T) {
	pick := func(r *rand.Rand, list ...string) string { return list[r.IntN(len(list))] }
	draw := func(r *rand.Rand) *corev1.Node {
		if r.IntN(8) == 0 {
			return nil
		}
		n := node(pick(r, "n1", "n1", "n2"), pick(r, "", "a", "a", "b"), pick(r, "", "0", "2", "2", "2000m", "9223372036854775807"))
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
		o := hints.NodeOptions{Tolerate: []int{0, 10, 60}[r.IntN(3)]}
		if r.IntN(2) == 0 {
			o.Filter = func(n *corev1.Node) bool { return !n.Spec.Unschedulable }
		}
		equal := cmp.Equal(hints.NodeWeights(append(others, old), o), hints.NodeWeights(append(others, new), o))
		if matters := hints.NodesMatter(old, new, o); !matters && !equal {
			t.Fatalf("NodesMatter is false for\n%v\n%v", old, new)
		} else if !matters {
			same++
		}
	}
	if same < 1000 {
		t.Errorf("NodesMatter was false only %d times", same)
	}
	ready := node("n1", "a", "2")
	heartbeat := ready.DeepCopy()
	heartbeat.ResourceVersion, heartbeat.Status.Images = "2", []corev1.ContainerImage{{SizeBytes: 1}}
	if hints.NodesMatter(ready, heartbeat, hints.NodeOptions{}) || hints.NodesMatter(nil, nil, hints.NodeOptions{}) {
		t.Error("a heartbeat, or nothing, matters")
	}
}
