package service_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer/service"
)

// A watch of Pods leaves out what no plan shows. Both the old and the new Pod say which Services to sync.
func ExamplePodMatters() {
	o := service.Options{ManagedBy: "slices.example.com"}
	old := examplePod("web-1", "10.0.0.1")
	restarted, unready := old.DeepCopy(), old.DeepCopy()
	restarted.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "web", RestartCount: 1}}
	unready.Status.Conditions[0].Status = corev1.ConditionFalse

	fmt.Println(service.PodMatters(old, restarted, o))
	fmt.Println(service.PodMatters(old, unready, o))
	fmt.Println(service.PodMatters(old, nil, o)) // deleted
	// Output:
	// false
	// true
	// true
}

// A Pod that is released from its Service by a label matters to the Service that selects the old Pod.
func ExampleSelects() {
	old := examplePod("web-1", "10.0.0.1")
	released := old.DeepCopy()
	released.Labels["app"] = "debug"

	fmt.Println(service.Selects(exampleService(), old), service.Selects(exampleService(), released))
	// Output: true false
}

// A description of a Service is no reason to plan.
func ExampleServiceMatters() {
	svc := exampleService()
	described, retargeted := svc.DeepCopy(), svc.DeepCopy()
	described.Annotations = map[string]string{"example.com/description": "the shop's front"}
	retargeted.Spec.Selector["app"] = "web-v2"
	fmt.Println(service.ServiceMatters(svc, described), service.ServiceMatters(svc, retargeted))
	// Output: false true
}

// A heartbeat is no reason to plan.
func ExampleNodeMatters() {
	node := exampleNode("node-1", "192.0.2.1", corev1.ConditionTrue)
	moved := exampleNode("node-1", "192.0.2.1", corev1.ConditionTrue)
	moved.Labels[corev1.LabelTopologyZone] = "north"
	fmt.Println(service.NodeMatters(node, exampleNode("node-1", "192.0.2.1", corev1.ConditionFalse)), service.NodeMatters(node, moved))
	// Output: false true
}

// A slice that somebody takes away from us is a reason to plan, because its endpoints are to be published again.
func ExampleSliceMatters() {
	slice := slicesLeftBy("slices.example.com")[0]
	taken, noted := slice.DeepCopy(), slice.DeepCopy()
	taken.Labels[discoveryv1.LabelManagedBy] = "other.example.com"
	noted.Labels, noted.Annotations = taken.Labels, map[string]string{"note": "not ours"}
	o := service.Options{ManagedBy: "slices.example.com"}
	fmt.Println(service.SliceMatters(slice, taken, o), service.SliceMatters(taken, noted, o))
	// Output: true false
}
