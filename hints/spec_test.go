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

// TestThresholdsThatAreZero: only all three together stand for the default. An aim of 0 is 0%: no overload at all.
func TestThresholdsThatAreZero(t *testing.T) {
	stop := hints.Thresholds{Start: 1, Stop: 30}
	for _, row := range []struct {
		why        string
		thresholds hints.Thresholds
		in, want   string
	}{
		{"all zero is 20/20/20: with six endpoints the zones that have one are 20% above their share", hints.Thresholds{}, "+a a b c d e", "2a>a b>b c>c d>d e>e"},
		{"a start of 1 puts no hints where a zone is above its share", stop, "+a a b c d e", "2a b c d e"},
		{"it puts them where none is", stop, "+a b c d e", "a>a b>b c>c d>d e>e"},
		{"and keeps those that are there up to stop", stop, "2a>a b>b c>c d>d e>e", "2a>a b>b c>c d>d e>e"},
		{"an aim of 0 lends endpoints until the zones are even", hints.Thresholds{Start: 20, Stop: 20}, "+3a 2b 2c 2d e", "a>e 2a>a 2b>b 2c>c 2d>d e>e"},
	} {
		in := mustSlices(row.in)
		c := proportional("1,1,1,1,1", "")
		c.Thresholds = row.thresholds
		changes, d, err := hints.Assign(c, in)
		if err != nil {
			t.Fatal(err)
		}
		if out, _ := after(in, changes); printSlices(out) != row.want {
			t.Errorf("%s: %s, want %s\n%v", row.why, printSlices(out), row.want, d)
		}
	}
}
