package hints_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/hints"
)

// What the documentation promises, sentence by sentence; the readers' part is S22 and the second half of S23.
func TestSpec(t *testing.T) {
	annotated := hints.ModeOf(serviceWith([]string{"topology-mode=auto"}))
	one, two := node("n1", "a", "1"), node("n2", "b", "2")
	unready := node("n3", "a", "64")
	unready.Status.Conditions[0].Status = corev1.ConditionUnknown
	control := node("n4", "a", "64")
	control.Labels["node-role.kubernetes.io/control-plane"] = "true"
	rows := []struct {
		sentence string
		nodes    []*corev1.Node
		in, want string
		reason   hints.Reason
	}{
		{"S20: a zone with 2 cores gets twice the endpoints of a zone with 1", []*corev1.Node{one, two},
			"+9a", "6a>b 3a>a", hints.Allocated},
		{"S21: fewer endpoints than zones: no hints", []*corev1.Node{one, two},
			"+a", "a", hints.TooFewEndpoints},
		{"S21: no balanced allocation below the overload threshold: no hints", []*corev1.Node{one, two},
			"+a b", "a b", hints.OverThreshold},
		{"S21: a Node without zone label: no hints", []*corev1.Node{one, two, node("n5", "", "1")},
			"+a 2b", "a 2b", hints.NodeWithoutZone},
		{"S21: a Node without allocatable CPU: no hints", []*corev1.Node{one, two, node("n5", "a", "")},
			"+a 2b", "a 2b", hints.NodeWithoutCPU},
		{"S23: sometimes an endpoint of another zone is allocated", []*corev1.Node{one, two},
			"+2a b", "a>b a>a b>b", hints.Allocated},
		{"S24: Nodes that are not ready and control-plane Nodes do not count", []*corev1.Node{one, two, unready, control},
			"+a 2b", "a>a 2b>b", hints.Allocated},
	}
	for _, row := range rows {
		in := mustSlices(row.in)
		c := hints.Options{Mode: annotated, Weights: hints.NodeWeights(row.nodes, hints.NodeOptions{})}
		if strings.HasPrefix(row.sentence, "S20") {
			c.Thresholds = hints.Thresholds{Start: 20, Stop: 20} // deviation 3: proportional where the aim is
		}
		changes, d, err := hints.Assign(c, in)
		if err != nil {
			t.Fatal(err)
		}
		out, _ := after(in, changes)
		if got := printSlices(out); got != row.want || d.Reason != row.reason {
			t.Errorf("%s: %s (%v), want %s (%v)", row.sentence, got, d.Reason, row.want, row.reason)
		}
	}
}
