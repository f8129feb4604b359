package main

import (
	"fmt"
	"math/rand"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/internal/test/bench"
	"github.com/slicewright/slicewright/internal/test/conformance"
)

// rollingWorld is a cluster that lives: it is scaled, rolled and relabelled, its port changes and
// Nodes are lost.
type rollingWorld struct {
	*conformance.Cluster
	random *rand.Rand
	target int // Pods wanted on average
	pods   int // ever made
	nodes  int
}

// newRollingWorld makes a cluster of so many Pods on average, with topology hints. The same seed
// gives the same.
func newRollingWorld(seed int64, pods int) *rollingWorld {
	w := &rollingWorld{Cluster: conformance.NewCluster(0), random: rand.New(rand.NewSource(seed)), target: pods}
	w.Nodes = map[string]*corev1.Node{}
	w.Service.Annotations = map[string]string{corev1.AnnotationTopologyMode: "Auto"}
	for range 12 {
		w.addNode()
	}
	w.scale(pods)
	return w
}

func (w *rollingWorld) addNode() {
	node := bench.NewNode(fmt.Sprintf("node-%d", w.nodes), string(rune('a'+w.nodes%3)), 4+4*w.random.Intn(3))
	w.Nodes[node.Name] = node
	w.nodes++
}

// someNode is any Node that is there.
func (w *rollingWorld) someNode() string {
	for {
		if name := fmt.Sprintf("node-%d", w.random.Intn(w.nodes)); w.Nodes[name] != nil {
			return name
		}
	}
}

func (w *rollingWorld) scale(n int) {
	w.random.Shuffle(len(w.Pods), func(i, j int) { w.Pods[i], w.Pods[j] = w.Pods[j], w.Pods[i] })
	w.Pods = append([]*corev1.Pod(nil), w.Pods[:min(n, len(w.Pods))]...)
	for len(w.Pods) < n {
		w.Pods = append(w.Pods, conformance.NewPod(w.pods, w.someNode()))
		w.pods++
	}
}

// change changes one thing.
func (w *rollingWorld) change() {
	switch kind := w.random.Intn(50); {
	case kind < 10: // by up to 40% around the average
		w.scale(w.target * (80 + w.random.Intn(41)) / 100)
	case kind < 37: // a part of a rolling update
		n := len(w.Pods)
		w.scale(n - 1 - w.random.Intn(n/20+1))
		w.scale(n)
	case kind < 46:
		w.flip()
	case kind < 48:
		w.loseNode()
	case kind < 49:
		w.Service = w.Service.DeepCopy()
		w.Service.Labels = map[string]string{"team": fmt.Sprint(w.random.Intn(100))}
	default:
		w.Service = w.Service.DeepCopy()
		w.Service.Spec.Ports[0].TargetPort = intstr.FromInt32(8080 + w.random.Int31n(100))
	}
}

// flip changes the readiness of a few Pods.
func (w *rollingWorld) flip() {
	for range 1 + w.random.Intn(5) {
		i := w.random.Intn(len(w.Pods))
		pod := w.Pods[i].DeepCopy()
		ready := &pod.Status.Conditions[len(pod.Status.Conditions)-1]
		if ready.Status == corev1.ConditionTrue {
			ready.Status = corev1.ConditionFalse
		} else {
			ready.Status = corev1.ConditionTrue
		}
		w.Pods[i] = pod
	}
}

// loseNode replaces a Node and all Pods on it.
func (w *rollingWorld) loseNode() {
	lost, n := w.someNode(), len(w.Pods)
	w.addNode()
	delete(w.Nodes, lost)
	w.Pods = slices.DeleteFunc(slices.Clone(w.Pods), func(p *corev1.Pod) bool { return p.Spec.NodeName == lost })
	w.scale(n)
}
