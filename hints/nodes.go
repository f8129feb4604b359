package hints

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// NodeOptions choose which Nodes count. The zero value does what Kubernetes does.
type NodeOptions struct {
	// Filter says whether a Node counts, for traffic that comes from some Nodes only: untainted ones, a pool, those that
	// a selector picks. It is asked once for each Node that is ready and no control plane, in the order given, and must
	// not change it. nil: all count.
	Filter func(*corev1.Node) bool
	// Tolerate is how many percent of the CPU of the Nodes that count may be on Nodes that have no zone, before the
	// weights are unfit for use. Those Nodes are then left out: readers on them have no zone and ignore hints. Any value
	// above 0 also tolerates Nodes without allocatable CPU. Below 0 is 0, above 100 is 100.
	Tolerate int
}

// NodeWeights adds up the allocatable CPU of Nodes by zone (label topology.kubernetes.io/zone), in thousandths of a
// CPU. Nodes that are not ready, and those with the label node-role.kubernetes.io/control-plane or
// node-role.kubernetes.io/master, whatever its value, do not count. Neither taints nor whether a Node is
// schedulable is looked at: that is what NodeOptions.Filter is for.
//
// A Node that counts but has no zone, or no CPU, is a problem; it makes the weights unfit for use unless it is
// tolerated. Nil Nodes are skipped. nil and empty: no weights. The order of the Nodes does not count. The result is the
// caller's, shared with nothing. A sum above MaxWeight stays at MaxWeight.
func NodeWeights(nodes []*corev1.Node, o NodeOptions) Weights {
	w := Weights{Zones: map[string]int64{}}
	var problems []Problem
	var all, bad wide
	for _, node := range nodes {
		if !counts(node, o) {
			continue
		}
		zone, cpu := node.Labels[corev1.LabelTopologyZone], milliCPU(node)
		all = all.plus(uint64(cpu))
		switch {
		case zone == "":
			bad = bad.plus(uint64(cpu))
			problems = append(problems, Problem{Node: node.Name, Reason: NodeWithoutZone, MilliCPU: cpu})
		case cpu == 0:
			problems = append(problems, Problem{Node: node.Name, Reason: NodeWithoutCPU})
		default:
			w.Zones[zone] += min(cpu, MaxWeight-w.Zones[zone])
		}
	}
	slices.SortFunc(problems, compareProblems)
	if percent := min(o.Tolerate, 100); percent > 0 && !all.times(uint64(percent)).less(bad.times(100)) {
		w.Tolerated = problems
	} else {
		w.Problems = problems
	}
	return w
}

// counts reports whether a Node's CPU stands for traffic.
func counts(node *corev1.Node, o NodeOptions) bool {
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
			return c.Status == corev1.ConditionTrue && (o.Filter == nil || o.Filter(node))
		}
	}
	return false
}

// milliCPU is what a Node can allocate, 0 to MaxWeight.
func milliCPU(node *corev1.Node) int64 {
	cpu := node.Status.Allocatable.Cpu()
	if cpu.CmpInt64(MaxWeight/1000) > 0 {
		return MaxWeight // MilliValue would overflow
	}
	return max(0, cpu.MilliValue())
}

func compareProblems(a, b Problem) int {
	return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.MilliCPU, b.MilliCPU))
}

// nodeProblem names the Nodes that make weights unfit: those without zone if there are any, else those without CPU.
func nodeProblem(problems []Problem) (Reason, []string, int) {
	reason := NodeWithoutCPU
	for _, p := range problems {
		if p.Reason == NodeWithoutZone {
			reason = NodeWithoutZone
		}
	}
	var list nameList
	for _, p := range problems {
		if p.Reason == reason || (reason == NodeWithoutCPU && p.Reason != NodeWithoutZone) {
			list.add(p.Node)
		}
	}
	return reason, list.names, list.more
}
