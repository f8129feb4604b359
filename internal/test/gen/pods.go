package gen

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Pods returns a Service with ports that are named in its containers, the n Pods that it selects,
// all of them ready, and their Nodes in three zones. None of it shares memory.
func Pods(n, ports int) (*corev1.Service, []*corev1.Pod, []*corev1.Node) {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: Namespace, Name: Name, UID: "service"}}
	svc.Spec.ClusterIP, svc.Spec.Selector = "10.96.0.1", map[string]string{"app": Name}
	svc.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol}
	for i := range ports {
		name := fmt.Sprintf("p%d", i)
		svc.Spec.Ports = append(svc.Spec.Ports,
			corev1.ServicePort{Name: name, Port: int32(1 + i), TargetPort: intstr.FromString(name)})
	}
	pods := make([]*corev1.Pod, n)
	for i := range pods {
		pods[i] = pod(i, ports)
	}
	nodes := make([]*corev1.Node, max(3, n/20))
	for i := range nodes {
		nodes[i] = &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("node-%d", i),
			Labels: map[string]string{corev1.LabelTopologyZone: fmt.Sprintf("zone-%c", 'a'+i%3)}}}
		nodes[i].Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
		nodes[i].Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("4")}
	}
	for i, p := range pods {
		p.Spec.NodeName = fmt.Sprintf("node-%d", i%len(nodes))
	}
	return svc, pods, nodes
}

func pod(i, ports int) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: Namespace, Name: fmt.Sprintf("web-7d4b9c6f5d-%05d", i),
		UID: types.UID(fmt.Sprintf("0b5e7c3a-1111-4222-9333-%012d", i)), Labels: map[string]string{"app": Name}}}
	p.Status = corev1.PodStatus{Phase: corev1.PodRunning, PodIP: Address(i), PodIPs: []corev1.PodIP{{IP: Address(i)}},
		Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}}
	c := corev1.Container{Name: "web"}
	for k := range ports {
		c.Ports = append(c.Ports, corev1.ContainerPort{Name: fmt.Sprintf("p%d", k), ContainerPort: int32(1 + k)})
	}
	p.Spec.Containers = []corev1.Container{c}
	return p
}
