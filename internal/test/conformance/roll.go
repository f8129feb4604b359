package conformance

import (
	"fmt"
	"math/rand"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/internal/test/bench"
	"github.com/slicewright/slicewright/internal/test/sim"
)

// Tally is what a side did to its own slices while a world rolled.
type Tally struct {
	Writes int
	// Moved is how often an endpoint went from one slice to another, Gone how often one was in no
	// slice after some write, though it was published before and after.
	Moved, Gone int
	Slices      int // after the last step
}

// Roll lets a [RollingWorld] of some Pods live for some steps. Each side answers every step on
// slices of its own.
func Roll(seed int64, steps, pods int, sides ...Side) ([]Tally, error) {
	w := NewRollingWorld(seed, pods)
	tallies := make([]Tally, len(sides))
	servers := make([]sim.Server, len(sides))
	for step := range steps {
		if step > 0 {
			w.Step()
		}
		for i, side := range sides {
			if err := w.answer(&servers[i], side, &tallies[i], step > 0); err != nil {
				return nil, fmt.Errorf("step %d of side %d: %w", step, i, err)
			}
		}
	}
	return tallies, nil
}

// RollingWorld is a cluster that lives: it is scaled, rolled and relabelled, its port changes and
// Nodes are lost.
type RollingWorld struct {
	*Cluster
	random *rand.Rand
	target int // Pods wanted on average
	pods   int // ever made
	nodes  int
}

// NewRollingWorld makes a cluster of so many Pods on average, with topology hints. The same seed
// gives the same.
func NewRollingWorld(seed int64, pods int) *RollingWorld {
	w := &RollingWorld{Cluster: NewCluster(0), random: rand.New(rand.NewSource(seed)), target: pods}
	w.Nodes = map[string]*corev1.Node{}
	w.Service.Annotations = map[string]string{corev1.AnnotationTopologyMode: "Auto"}
	for range 12 {
		w.addNode()
	}
	w.scale(pods)
	return w
}

func (w *RollingWorld) addNode() {
	node := bench.NewNode(fmt.Sprintf("node-%d", w.nodes), string(rune('a'+w.nodes%3)), 4+4*w.random.Intn(3))
	w.Nodes[node.Name] = node
	w.nodes++
}

// someNode is any Node that is there.
func (w *RollingWorld) someNode() string {
	for {
		if name := fmt.Sprintf("node-%d", w.random.Intn(w.nodes)); w.Nodes[name] != nil {
			return name
		}
	}
}

func (w *RollingWorld) scale(n int) {
	w.random.Shuffle(len(w.Pods), func(i, j int) { w.Pods[i], w.Pods[j] = w.Pods[j], w.Pods[i] })
	w.Pods = append([]*corev1.Pod(nil), w.Pods[:min(n, len(w.Pods))]...)
	for len(w.Pods) < n {
		w.Pods = append(w.Pods, NewPod(w.pods, w.someNode()))
		w.pods++
	}
}

// Step changes one thing.
func (w *RollingWorld) Step() {
	w.Trigger = w.Trigger.Add(time.Second)
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
func (w *RollingWorld) flip() {
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
func (w *RollingWorld) loseNode() {
	lost, n := w.someNode(), len(w.Pods)
	w.addNode()
	delete(w.Nodes, lost)
	w.Pods = slices.DeleteFunc(slices.Clone(w.Pods), func(p *corev1.Pod) bool { return p.Spec.NodeName == lost })
	w.scale(n)
}

// answer lets a side write what it wants, and counts that if it counts.
func (w *RollingWorld) answer(server *sim.Server, side Side, t *Tally, counts bool) error {
	c := *w.Cluster
	c.Slices = server.List()
	writes, err := side(&c)
	if err != nil {
		return err
	}
	if err := Publish(server, writes); err != nil {
		return err
	}
	if counts {
		after := server.List()
		t.moved(c.Slices, after)
		t.gone(c.Slices, writes)
		t.Writes += len(writes)
		t.Slices = len(after)
	}
	return nil
}

// moved counts the endpoints that stay and are in another slice.
func (t *Tally) moved(before, after []*discoveryv1.EndpointSlice) {
	old := whereabouts(before)
	for e, now := range whereabouts(after) {
		if was, ok := old[e]; ok && was != now {
			t.Moved++
		}
	}
}

// whereabouts tells the slice that holds each endpoint.
func whereabouts(list []*discoveryv1.EndpointSlice) map[string]string {
	where := map[string]string{}
	for _, s := range list {
		for i := range s.Endpoints {
			where[anyPorts(s, &s.Endpoints[i])] = s.Name
		}
	}
	return where
}

// gone counts the endpoints that are there before the first and after the last write, and not after
// one in between.
func (t *Tally) gone(before []*discoveryv1.EndpointSlice, writes []Write) {
	copies, missing := map[string]int{}, map[string]bool{}
	hold := func(s *discoveryv1.EndpointSlice, more int) {
		if s == nil {
			return
		}
		for i := range s.Endpoints {
			copies[anyPorts(s, &s.Endpoints[i])] += more
		}
	}
	objects := map[string]*discoveryv1.EndpointSlice{}
	for _, s := range before {
		objects[s.Name] = s
		hold(s, 1)
	}
	for _, w := range writes {
		old := objects[w.Name]
		hold(w.Slice, 1)
		hold(old, -1)
		for i := 0; old != nil && i < len(old.Endpoints); i++ {
			if e := anyPorts(old, &old.Endpoints[i]); copies[e] == 0 {
				missing[e] = true
			}
		}
	}
	for e := range missing {
		if copies[e] > 0 {
			t.Gone++
		}
	}
}
