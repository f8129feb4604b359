package conformance

import (
	"fmt"
	"maps"
	"slices"

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

// newService returns a Service with a cluster IP of the family IPv4 and one port.
func newService() *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: serviceName, UID: "service-web", Labels: map[string]string{"team": "a"},
			CreationTimestamp: metav1.Unix(1_700_000_000, 0),
		},
		Spec: corev1.ServiceSpec{
			Type: corev1.ServiceTypeClusterIP, ClusterIP: "10.96.0.1", ClusterIPs: []string{"10.96.0.1"},
			IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol}, Selector: map[string]string{"app": serviceName},
			Ports: []corev1.ServicePort{
				{Name: "http", Protocol: corev1.ProtocolTCP, Port: 80, TargetPort: intstr.FromInt32(8080)},
			},
		},
	}
}

// newNode returns a ready Node.
func newNode(name, zone string, cores int) *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
			corev1.LabelHostname: name, corev1.LabelTopologyZone: zone, corev1.LabelTopologyRegion: "north",
		}},
		Status: corev1.NodeStatus{
			Allocatable: corev1.ResourceList{
				corev1.ResourceCPU: *resource.NewQuantity(int64(cores), resource.DecimalSI),
			},
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
		},
	}
}

// newPod returns the i-th Pod, which is ready. No two Pods have the same address.
func newPod(i int, node string) *corev1.Pod {
	ip := fmt.Sprintf("10.%d.%d.%d", (i+1)>>16&255, (i+1)>>8&255, (i+1)&255)
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: fmt.Sprintf("web-6c5f7b9d4-%05d", i),
			UID:    types.UID(fmt.Sprintf("0f3e7a52-9d41-4c1b-8a6d-%012d", i)),
			Labels: map[string]string{"app": serviceName, "pod-template-hash": "6c5f7b9d4"},
		},
		Spec: corev1.PodSpec{
			NodeName: node,
			Containers: []corev1.Container{{
				Name:  "web",
				Ports: []corev1.ContainerPort{{Name: "http", Protocol: corev1.ProtocolTCP, ContainerPort: 8080}},
			}},
		},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, PodIP: ip, PodIPs: []corev1.PodIP{{IP: ip}},
			Conditions: []corev1.PodCondition{
				{Type: corev1.PodScheduled, Status: corev1.ConditionTrue},
				{
					Type: corev1.PodReady, Status: corev1.ConditionTrue,
					LastTransitionTime: metav1.Unix(1_790_000_000+int64(i), 0),
				},
			},
		},
	}
}

// Publish applies writes to an API server in memory, which sets defaults, generates names, counts
// versions and refuses as a real one does. It stops at the first write that fails.
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

// clone copies a cluster so that changing its Service, lists or slices does not change this one's.
// Pods and Nodes are shared.
func (c *Cluster) clone() *Cluster {
	d := *c
	d.Service = c.Service.DeepCopy()
	d.Pods, d.Nodes = slices.Clone(c.Pods), maps.Clone(c.Nodes)
	d.Slices = copies(c.Slices)
	return &d
}
