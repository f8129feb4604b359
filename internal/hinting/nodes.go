package hinting

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Weights say how much traffic each zone is expected to send, in any unit: only their ratio
// matters. The zero value says that nothing is known.
type Weights struct {
	// Zones has the weight of each zone, at least 1. The weights add up to at most 2^40. In
	// Proportional, a zone that is missing is assigned no endpoints. In SameZone with a limit, the
	// endpoints in that zone still get a hint for it.
	Zones map[string]int64
	// Problems are Nodes that could not be counted in Zones, sorted by Node. While there are any,
	// Proportional sets no hints. SameZone with a limit only lists them in its Decision. If you
	// fill in Zones yourself, leave Problems nil.
	Problems []Problem
}

// Problem is a Node that cannot be counted.
type Problem struct {
	Node   string // its name
	Reason Reason // NodeWithoutZone or NodeWithoutCPU
}

// NodeWeights returns the allocatable CPU of Nodes by zone (label topology.kubernetes.io/zone), in
// thousandths of a CPU. A Node counts if it is ready and is not a control plane node: it has
// neither the label node-role.kubernetes.io/control-plane nor node-role.kubernetes.io/master,
// whatever their values are. Taints and spec.unschedulable have no effect.
//
// filter reports whether a Node counts. It is for traffic that comes from some Nodes only, such as
// untainted Nodes, a node pool, or Nodes that a selector picks. NodeWeights calls filter once for
// each Node that counts by the rule above, in the given order. filter must not change the Node. If
// filter is nil, all of these Nodes count, as in Kubernetes. To get weights although some Nodes
// have no zone, leave these Nodes out with the filter. Readers on Nodes without a zone ignore zone
// hints.
//
// A Node that counts but has no zone, or no CPU, is listed in Problems. A Node adds at most 2^27
// thousandths of a CPU, which is 134 000 CPUs. Nil Nodes are skipped. Without Nodes there are no
// weights. The order of the Nodes has no effect. The result belongs to the caller and shares no
// memory with the Nodes.
func NodeWeights(nodes []*corev1.Node, filter func(*corev1.Node) bool) Weights {
	w := Weights{Zones: map[string]int64{}}
	for _, node := range nodes {
		switch found := partOf(node, filter); {
		case found.problem != Problem{}:
			w.Problems = append(w.Problems, found.problem)
		case found.cpu > 0:
			w.Zones[found.zone] += found.cpu
		}
	}
	slices.SortFunc(w.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.Reason, b.Reason))
	})
	return w
}

// part is what a Node adds to Weights: CPU of a zone, or a problem. The zero value adds nothing.
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

// maxNodeCPU bounds the sums, whatever CPU a Node reports: 2^13 such Nodes reach allocate.MaxTotal.
const maxNodeCPU = 1 << 27

// milliCPU returns a Node's allocatable CPU in thousandths, from 0 to maxNodeCPU.
func milliCPU(node *corev1.Node) int64 {
	cpu := node.Status.Allocatable.Cpu()
	if cpu.CmpInt64(maxNodeCPU/1000) > 0 {
		return maxNodeCPU // MilliValue could overflow
	}
	return max(0, cpu.MilliValue())
}

// NodesMatter reports whether the event of a Node can change what [NodeWeights] returns with this
// filter. The argument old is nil for a Node that was added, and the argument now is nil for a Node
// that was deleted. If both are nil, NodesMatter returns false.
//
// If NodesMatter returns false, replacing the argument old with the argument now in any list of
// Nodes does not change the weights. NodesMatter compares the zone, the roles, the allocatable CPU
// and the Ready condition of both Nodes, and calls the filter for both. It compares the names only
// of Nodes that Weights.Problems would list. A heartbeat changes none of these.
func NodesMatter(old, now *corev1.Node, filter func(*corev1.Node) bool) bool {
	return partOf(old, filter) != partOf(now, filter)
}

// problem returns the Nodes because of which the weights cannot be used, and the reason:
// NodeWithoutZone if it applies to any Node, else NodeWithoutCPU.
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
