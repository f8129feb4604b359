package conformance

import (
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/internal/test/bench"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
)

const (
	namespace   = "shop"
	serviceName = "web"
)

// NewCluster makes a Service with one port and n ready Pods, a Node for every 20 of them, and three
// zones. Nothing is published yet.
func NewCluster(n int) *Cluster {
	c := &Cluster{
		Service: bench.NewService(namespace, serviceName),
		Nodes:   map[string]*corev1.Node{},
		Max:     100,
		Trigger: time.Unix(1_790_000_000, 0),
	}
	for i := range max(3, n/20) {
		node := bench.NewNode(fmt.Sprintf("node-%d", i), string(rune('a'+i%3)), 8)
		c.Nodes[node.Name] = node
	}
	for i := range n {
		c.Pods = append(c.Pods, NewPod(i, fmt.Sprintf("node-%d", i*7919%len(c.Nodes))))
	}
	return c
}

// NewPod makes the i-th Pod, which runs and is ready. No two have an address in common.
func NewPod(i int, node string) *corev1.Pod {
	return bench.NewPod(bench.NewService(namespace, serviceName), i, node)
}

// Publish applies writes to what an API server has: it defaults, names and counts as one does, and
// refuses what it refuses. It stops at the first that fails.
func Publish(server *sim.Server, writes []Write) error {
	for _, w := range writes {
		var err error
		switch w.Verb {
		case slicer.Create:
			_, err = server.Create(w.Slice)
		case slicer.Update:
			_, err = server.Update(w.Slice)
		case slicer.Delete:
			err = server.Delete(w.Name, nil)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// PublishAll publishes what is wanted, as one side or the other does it, and leaves the slices in
// the cluster.
func (c *Cluster) PublishAll(plan Side) (*sim.Server, error) {
	server := &sim.Server{}
	server.Put(c.Slices...)
	writes, err := plan(c)
	if err != nil {
		return nil, err
	}
	if err := Publish(server, writes); err != nil {
		return nil, err
	}
	c.Slices = server.List()
	return server, nil
}

// clone copies a cluster so that changing its Service, lists or slices does not change this one's.
// Pods and Nodes are shared.
func (c *Cluster) clone() *Cluster {
	d := *c
	d.Service = c.Service.DeepCopy()
	d.Pods, d.Nodes = slices.Clone(c.Pods), maps.Clone(c.Nodes)
	d.Slices = copies(c.Slices)
	return &d
}
