package hints

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Weights say how much traffic each zone is expected to send, in any unit: only their ratio counts. The zero value is
// that nothing is known.
type Weights struct {
	// Zones has the weight of each zone, 1 or more; together at most 2^40. A zone that is missing gets no endpoints but, with
	// a limit, its own.
	Zones map[string]int64
	// Problems are Nodes that are not in Zones, sorted by Node: while there are any, Proportional puts no hints, and SameZone with
	// a limit only names them. Weights of a caller's own have none.
	Problems []Problem
}

// Problem is a Node that cannot be counted.
type Problem struct {
	Node   string // its name
	Reason Reason // NodeWithoutZone or NodeWithoutCPU
}

// NodeWeights adds up the allocatable CPU of Nodes by zone (label topology.kubernetes.io/zone), in thousandths of a
// CPU. Nodes that are not ready, and those with the label node-role.kubernetes.io/control-plane or
// node-role.kubernetes.io/master, whatever its value, do not count. Neither taints nor whether a Node is schedulable is looked at.
//
// filter says whether a Node counts, for traffic that comes from some Nodes only: untainted ones, a pool, those that a selector
// picks. It is asked once for each Node that is ready and no control plane, in the order given, and must not change it. nil: all
// count, as in Kubernetes. One that leaves out Nodes without zone lets the others have weights: readers on Nodes without zone
// ignore hints.
//
// A Node that counts but has no zone, or no CPU, is a problem. Nil Nodes are skipped. nil and empty: no weights. The order of the
// Nodes does not count. The result is the caller's, shared with nothing. A Node counts for at most 2^27, which is 134 000 CPUs.
func NodeWeights(nodes []*corev1.Node, filter func(*corev1.Node) bool) Weights {
	w := Weights{Zones: map[string]int64{}}
	for _, node := range nodes {
		switch part := partOf(node, filter); {
		case part.problem != Problem{}:
			w.Problems = append(w.Problems, part.problem)
		case part.cpu > 0:
			w.Zones[part.zone] += part.cpu
		}
	}
	slices.SortFunc(w.Problems, func(a, b Problem) int { return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.Reason, b.Reason)) })
	return w
}

// part is what a Node adds to Weights: CPU of a zone, or a problem. The zero value is nothing.
type part struct {
	zone    string
	cpu     int64
	problem Problem
}

func partOf(node *corev1.Node, filter func(*corev1.Node) bool) part {
	if !counts(node, filter) {
		return part{}
	}
	zone, cpu := node.Labels[corev1.LabelTopologyZone], milliCPU(node)
	switch {
	case zone == "":
		return part{problem: Problem{Node: node.Name, Reason: NodeWithoutZone}}
	case cpu == 0:
		return part{problem: Problem{Node: node.Name, Reason: NodeWithoutCPU}}
	default:
		return part{zone: zone, cpu: cpu}
	}
}

// counts reports whether a Node's CPU counts as weight.
func counts(node *corev1.Node, filter func(*corev1.Node) bool) bool {
	if node == nil {
		return false
	}
	for _, role := range [...]string{"node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master"} {
		if _, ok := node.Labels[role]; ok {
			return false
		}
	}
	for i := range node.Status.Conditions {
		if c := &node.Status.Conditions[i]; c.Type == corev1.NodeReady {
			return c.Status == corev1.ConditionTrue && (filter == nil || filter(node))
		}
	}
	return false
}

// maxNodeCPU keeps sums within bounds, whatever a Node claims.
const maxNodeCPU = 1 << 27

// milliCPU is a Node's allocatable CPU in thousandths, 0 to maxNodeCPU.
func milliCPU(node *corev1.Node) int64 {
	cpu := node.Status.Allocatable.Cpu()
	if cpu.CmpInt64(maxNodeCPU/1000) > 0 {
		return maxNodeCPU // MilliValue could overflow
	}
	return max(0, cpu.MilliValue())
}

// NodesMatter reports whether a Node that was added (old is nil), changed or deleted (new is nil) can change what
// [NodeWeights] returns with this filter. If it is false, weights of any Nodes with old among them are equal to those with
// new in its place. It looks at the Node's name, zone, roles, allocatable CPU and Ready condition, and asks the filter for
// both. Both nil: false. A heartbeat is no reason to plan again; nor is the name of a Node that is counted.
func NodesMatter(old, new *corev1.Node, filter func(*corev1.Node) bool) bool {
	return partOf(old, filter) != partOf(new, filter)
}

// problem returns the Nodes that make the weights unfit for use, and why: those without zone if there are any, else those
// without CPU.
func (w Weights) problem() (reason Reason, nodes []string) {
	reason = NodeWithoutCPU
	if slices.ContainsFunc(w.Problems, func(p Problem) bool { return p.Reason == NodeWithoutZone }) {
		reason = NodeWithoutZone
	}
	for _, p := range w.Problems {
		if p.Reason == reason {
			nodes = append(nodes, p.Node)
		}
	}
	return reason, nodes
}
