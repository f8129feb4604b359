package hints

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// NodeWeights returns the allocatable CPU of ready Nodes by zone, as Kubernetes computes it, in
// thousandths of a CPU. count says which Nodes count; if it is nil, all but those of the control
// plane: Nodes with the label node-role.kubernetes.io/control-plane or
// node-role.kubernetes.io/master. Taints and spec.unschedulable have no effect, and a Node that is
// being deleted counts until it is gone.
//
// A ready Node that counts but has no zone (label topology.kubernetes.io/zone), or no CPU, is in
// Missing. To get weights although some Nodes have no zone, leave these Nodes out with count. A
// Node adds at most 2^27 thousandths of a CPU, which is 134 000 CPUs. Nil Nodes are skipped. The
// order of the Nodes has no effect.
func NodeWeights(nodes []*corev1.Node, count func(*corev1.Node) bool) Weights {
	if count == nil {
		count = worker
	}
	w := Weights{Zones: map[string]int64{}}
	for _, node := range nodes {
		if node == nil || !nodeReady(node) || !count(node) {
			continue
		}
		if zone, cpu := node.Labels[corev1.LabelTopologyZone], milliCPU(node); zone != "" && cpu > 0 {
			w.Zones[zone] += cpu
		} else {
			w.Missing = append(w.Missing, node.Name)
		}
	}
	slices.Sort(w.Missing)
	return w
}

// worker reports whether a Node is not one of the control plane.
func worker(node *corev1.Node) bool {
	for _, role := range [...]string{"node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master"} {
		if _, ok := node.Labels[role]; ok {
			return false
		}
	}
	return true
}

func nodeReady(node *corev1.Node) bool {
	for i := range node.Status.Conditions {
		if c := &node.Status.Conditions[i]; c.Type == corev1.NodeReady {
			return c.Status == corev1.ConditionTrue
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
