package service_test

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

func exampleService() *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "3f1c"},
		Spec: corev1.ServiceSpec{
			ClusterIP: "10.96.0.1", IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol},
			Selector: map[string]string{"app": "web"},
			Ports:    []corev1.ServicePort{{Name: "http", Port: 80, TargetPort: intstr.FromString("http")}},
		},
	}
}

func examplePod(name, ip string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, Labels: map[string]string{"app": "web"}},
		Spec: corev1.PodSpec{
			NodeName:   "node-1",
			Containers: []corev1.Container{{Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}}}},
		},
		Status: corev1.PodStatus{
			PodIPs:     []corev1.PodIP{{IP: ip}},
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
		},
	}
}

func ExamplePlan() {
	nodes := map[string]*corev1.Node{
		"node-1": {ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{corev1.LabelTopologyZone: "north"}}},
	}
	pods := []*corev1.Pod{examplePod("web-1", "10.0.0.1"), examplePod("web-2", "")}
	pods[1].Status.PodIPs = nil // not started yet, which is Expected

	plan, err := service.Plan(exampleService(), pods,
		func(name string) *corev1.Node { return nodes[name] },
		nil, // what the API server has
		service.Options{ManagedBy: "slices.example.com"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(plan)
	fmt.Println(plan.Err())
	// Output:
	// create web-jzl0q9xx-ipv4 ipv4 http:8080: +10.0.0.1 (EndpointsAdded)
	// skipped Pod shop/web-2 (NoAddress) pods[1]
	// total 1 write (1 create), endpoints +1 -0 ~0
	// <nil>
}

// The Input is for a caller who wants to change it: here the slices have no trigger time.
func ExampleInput() {
	pod := examplePod("web-1", "10.0.0.1")
	pod.Status.Conditions[0].LastTransitionTime = metav1.Unix(1_790_000_000, 0)
	in, err := service.Input(exampleService(), []*corev1.Pod{pod}, nil, service.Options{ManagedBy: "slices.example.com"})
	if err != nil {
		fmt.Println(err)
		return
	}
	in.Set.TriggerTime = &time.Time{}
	plan, err := slicer.Compute(in, nil)
	fmt.Println(plan.Steps[0], len(plan.Steps[0].New.Annotations), err)
	// Output: create web-jzl0q9xx-ipv4 ipv4 http:8080: +10.0.0.1 (EndpointsAdded) 0 <nil>
}

// The slices of these machines go when the Node on which they run goes, which owns them here.
func ExampleBackendsInput() {
	machine := service.Backend{Addresses: []string{"192.0.2.1"}, Ready: true, Ports: []service.BackendPort{{Name: "http", Port: 80}}}
	in, err := service.BackendsInput(exampleService(), []service.Backend{machine}, service.Options{ManagedBy: "slices.example.com"})
	if err != nil {
		fmt.Println(err)
		return
	}
	in.Set.Owners = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Node", Name: "node-1", UID: "77e0"}}
	plan, err := slicer.Compute(in, nil)
	fmt.Println(plan.Steps[0], plan.Steps[0].New.OwnerReferences[0].Name, err)
	// Output: create web-jzl0q9xx-ipv4 ipv4 http:80: +192.0.2.1 (EndpointsAdded) node-1 <nil>
}

// A Service may stop being one to manage: what was published goes.
func ExampleManaged() {
	o := service.Options{ManagedBy: "slices.example.com"}
	svc := exampleService()
	plan, err := service.Plan(svc, []*corev1.Pod{examplePod("web-1", "10.0.0.1")}, nil, nil, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	svc.Spec.Selector = nil
	if reason, _ := service.Managed(svc); reason != service.Publishable {
		fmt.Println(reason)
		plan, err = service.PlanRemoval(svc, plan.After(), o)
	}
	fmt.Print(plan)
	fmt.Println(err)
	// Output:
	// NoSelector
	// delete web-jzl0q9xx-ipv4: -10.0.0.1 (NothingLeft)
	// total 1 write (1 delete), endpoints +0 -1 ~0
	// <nil>
}

func ExampleNodesByName() {
	node := service.NodesByName([]*corev1.Node{{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}}})
	fmt.Println(node("node-1").Name, node("node-2") == nil)
	// Output: node-1 true
}
