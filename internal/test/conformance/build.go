package conformance

import (
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
)

const (
	namespace   = "shop"
	serviceName = "web"
)

// NewCluster makes a Service with one port and n ready Pods, a Node for every 20 of them, and three zones. Nothing is
// published yet.
func NewCluster(n int) *Cluster {
	c := &Cluster{
		Service: &corev1.Service{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: namespace, Name: serviceName, UID: "service-1", Labels: map[string]string{"team": "a"},
				CreationTimestamp: metav1.Unix(1_700_000_000, 0),
			},
			Spec: corev1.ServiceSpec{
				Type: corev1.ServiceTypeClusterIP, ClusterIP: "10.96.0.1", ClusterIPs: []string{"10.96.0.1"},
				IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol}, Selector: map[string]string{"app": "web"},
				Ports: []corev1.ServicePort{{Name: "http", Protocol: corev1.ProtocolTCP, Port: 80, TargetPort: intstr.FromInt32(8080)}},
			},
		},
		Nodes: map[string]*corev1.Node{}, Max: 100, Trigger: time.Unix(1_790_000_000, 0),
	}
	for i := range max(3, n/20) {
		node := NewNode(fmt.Sprintf("node-%d", i), string(rune('a'+i%3)), 8)
		c.Nodes[node.Name] = node
	}
	for i := range n {
		c.Pods = append(c.Pods, NewPod(i, fmt.Sprintf("node-%d", i*7919%len(c.Nodes))))
	}
	return c
}

// NewNode makes a ready Node.
func NewNode(name, zone string, cores int) *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
			corev1.LabelHostname: name, corev1.LabelTopologyZone: zone, corev1.LabelTopologyRegion: "north",
		}},
		Status: corev1.NodeStatus{
			Allocatable: corev1.ResourceList{corev1.ResourceCPU: *resource.NewQuantity(int64(cores), resource.DecimalSI)},
			Conditions:  []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
		},
	}
}

// NewPod makes the i-th Pod, which runs and is ready. No two have an address in common.
func NewPod(i int, node string) *corev1.Pod {
	ip := fmt.Sprintf("10.%d.%d.%d", (i+1)>>16&255, (i+1)>>8&255, (i+1)&255)
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: fmt.Sprintf("web-6c5f7b9d4-%05d", i),
			UID:    types.UID(fmt.Sprintf("0f3e7a52-9d41-4c1b-8a6d-%012d", i)),
			Labels: map[string]string{"app": "web", "pod-template-hash": "6c5f7b9d4"},
		},
		Spec: corev1.PodSpec{
			NodeName: node,
			Containers: []corev1.Container{{
				Name: "web", Ports: []corev1.ContainerPort{{Name: "http", Protocol: corev1.ProtocolTCP, ContainerPort: 8080}},
			}},
		},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, PodIP: ip, PodIPs: []corev1.PodIP{{IP: ip}},
			Conditions: []corev1.PodCondition{
				{Type: corev1.PodScheduled, Status: corev1.ConditionTrue}, {Type: corev1.PodReady, Status: corev1.ConditionTrue},
			},
		},
	}
}

// Publish applies writes to what an API server has: it defaults, names and counts as one does, and refuses what it
// refuses. It stops at the first that fails.
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

// PublishAll publishes what is wanted, as one side or the other does it, and leaves the slices in the cluster.
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

// clone copies a cluster so that changing its Service, lists or slices does not change this one's. Pods and Nodes are
// shared.
func (c *Cluster) clone() *Cluster {
	d := *c
	d.Service = c.Service.DeepCopy()
	d.Pods, d.Nodes = slices.Clone(c.Pods), maps.Clone(c.Nodes)
	d.Slices = copies(c.Slices)
	return &d
}
