package bench

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// NewService returns a Service of the family IPv4 with one port. Its name is the label app of its
// Pods.
func NewService(namespace, name string) *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: name, UID: types.UID("service-" + name), Labels: map[string]string{"team": "a"},
			CreationTimestamp: metav1.Unix(1_700_000_000, 0),
		},
		Spec: corev1.ServiceSpec{
			Type: corev1.ServiceTypeClusterIP, ClusterIP: "10.96.0.1", ClusterIPs: []string{"10.96.0.1"},
			IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol}, Selector: map[string]string{"app": name},
			Ports: []corev1.ServicePort{
				{Name: "http", Protocol: corev1.ProtocolTCP, Port: 80, TargetPort: intstr.FromInt32(8080)},
			},
		},
	}
}

// NewNode returns a ready Node.
func NewNode(name, zone string, cores int) *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
			corev1.LabelHostname: name, corev1.LabelTopologyZone: zone, corev1.LabelTopologyRegion: "north",
		}},
		Status: corev1.NodeStatus{
			Allocatable: corev1.ResourceList{corev1.ResourceCPU: *resource.NewQuantity(int64(cores),
				resource.DecimalSI)},
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
		},
	}
}

// newNodes returns n Nodes, by name, in three zones of different size.
func newNodes(n int) map[string]*corev1.Node {
	nodes := map[string]*corev1.Node{}
	for i := range n {
		node := NewNode(fmt.Sprintf("node-%d", i), string(rune('a'+i%3)), 4+i%3)
		nodes[node.Name] = node
	}
	return nodes
}

// NewPod returns the i-th of all Pods, which is ready. Each i has an IPv4 and an IPv6 address of
// its own, of which the Pod has those of the Service's families.
func NewPod(svc *corev1.Service, i int, node string) *corev1.Pod {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: svc.Namespace, Name: fmt.Sprintf("%s-6c5f7b9d4-%05d", svc.Name, i),
			UID:    types.UID(fmt.Sprintf("0f3e7a52-9d41-4c1b-8a6d-%012d", i)),
			Labels: map[string]string{"app": svc.Name, "pod-template-hash": "6c5f7b9d4"},
		},
		Spec: corev1.PodSpec{
			NodeName: node,
			Containers: []corev1.Container{{
				Name: "web", Ports: []corev1.ContainerPort{{Name: "http", Protocol: corev1.ProtocolTCP,
					ContainerPort: 8080}},
			}},
		},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning,
			Conditions: []corev1.PodCondition{
				{Type: corev1.PodScheduled, Status: corev1.ConditionTrue},
				{
					Type: corev1.PodReady, Status: corev1.ConditionTrue,
					LastTransitionTime: metav1.Unix(1_790_000_000+int64(i), 0),
				},
			},
		},
	}
	for _, family := range svc.Spec.IPFamilies {
		ip := fmt.Sprintf("10.%d.%d.%d", (i+1)>>16&255, (i+1)>>8&255, (i+1)&255)
		if family == corev1.IPv6Protocol {
			ip = fmt.Sprintf("fd00:10::%x:%x", i>>16+1, i&0xffff)
		}
		pod.Status.PodIPs = append(pod.Status.PodIPs, corev1.PodIP{IP: ip})
	}
	pod.Status.PodIP = pod.Status.PodIPs[0].IP
	return pod
}
