package services_test

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

func ExamplePlan() {
	nodes := map[string]*corev1.Node{
		"n1": {ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{corev1.LabelTopologyZone: "north"}}},
	}
	pods := []*corev1.Pod{aPod(1), aPod(2, withIPs())} // the second has not started yet, which is routine

	plan, err := services.Plan(aService(), pods,
		func(name string) *corev1.Node { return nodes[name] },
		nil, // what the API server has
		services.Options{ManagedBy: "slices.example.com"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(plan)
	fmt.Println(len(plan.Warnings()), "warnings")
	// Output:
	// create web-jzl0q9xx-ipv4 ipv4 http:8080: +10.0.0.1 (EndpointsAdded)
	// skipped Pod shop/web-2 (NoAddress) pods[1]
	// total 1 write (1 create), endpoints +1 -0 ~0
	// 0 warnings
}

// The Input is for a caller who wants to change it: here the slices have no trigger time.
func ExampleInput() {
	pod := aPod(1)
	pod.Status.Conditions[0].LastTransitionTime = metav1.Unix(1_790_000_000, 0)
	in, err := services.Input(aService(), []*corev1.Pod{pod}, nil, services.Options{ManagedBy: "slices.example.com"})
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
	machine := services.Backend{Addresses: []string{"192.0.2.1"}, Ready: true,
		Ports: []services.BackendPort{{Name: "http", Port: 80}}}
	svc := aService(unselected, withPorts(servicePort("http", 80, named("http"))))
	in, err := services.BackendsInput(svc, []services.Backend{machine},
		services.Options{ManagedBy: "slices.example.com"})
	if err != nil {
		fmt.Println(err)
		return
	}
	in.Set.Owners = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Node", Name: "node-1", UID: "77e0"}}
	plan, err := slicer.Compute(in, nil)
	fmt.Println(plan.Steps[0], plan.Steps[0].New.OwnerReferences[0].Name, err)
	// Output: create web-jzl0q9xx-ipv4 ipv4 http:80: +192.0.2.1 (EndpointsAdded) node-1 <nil>
}

// A Service may stop being one to manage; ExamplePlanRemoval takes away what was published.
// Backends need no selector.
func ExampleManaged() {
	svc := aService()
	svc.Spec.Selector = nil
	ofPods, ofBackends := services.Managed(svc)
	fmt.Println(ofPods, ofBackends)
	// Output: NoSelector Publishable
}

func ExampleNodesByName() {
	node := services.NodesByName([]*corev1.Node{{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}}})
	fmt.Println(node("node-1").Name, node("node-2") == nil)
	// Output: node-1 true
}
