package service_test

import (
	"fmt"

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

// The Input is for a caller who wants to change it: here each slice gets an annotation. BackendsInput makes one of Backends.
func ExampleInput() {
	o := service.Options{ManagedBy: "slices.example.com"}
	ofPods, err := service.Input(exampleService(), []*corev1.Pod{examplePod("web-1", "10.0.0.1")}, nil, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	machine := service.Backend{Addresses: []string{"192.0.2.1"}, Ready: true, Ports: []service.BackendPort{{Name: "http", Port: 80}}}
	ofMachines, err := service.BackendsInput(exampleService(), []service.Backend{machine}, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, in := range []slicer.Input{ofPods, ofMachines} {
		in.Set.Annotations = map[string]string{"example.com/network": "blue"}
		plan, err := slicer.Compute(in, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(plan.Steps[0].New.Annotations, plan.Steps[0])
	}
	// Output:
	// map[example.com/network:blue] create web-jzl0q9xx-ipv4 ipv4 http:8080: +10.0.0.1 (EndpointsAdded)
	// map[example.com/network:blue] create web-jzl0q9xx-ipv4 ipv4 http:80: +192.0.2.1 (EndpointsAdded)
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
