package service_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
	o := service.Options{ManagedBy: "slices.example.com"}
	old := examplePod("web-1", "10.0.0.1")
	released := old.DeepCopy()
	released.Labels["app"] = "debug"

	fmt.Println(service.Selects(exampleService(), old, o), service.Selects(exampleService(), released, o))
	// Output: true false
}

func ExampleServiceMatters() {
	old := exampleService()
	described, retargeted := old.DeepCopy(), old.DeepCopy()
	described.Annotations = map[string]string{"example.com/description": "the shop's front"}
	retargeted.Spec.Selector["app"] = "web-v2"

	fmt.Println(service.ServiceMatters(old, described), service.ServiceMatters(old, retargeted))
	// Output: false true
}

func ExampleNodeMatters() {
	old := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}}
	heartbeat, labelled := old.DeepCopy(), old.DeepCopy()
	heartbeat.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
	labelled.Labels = map[string]string{corev1.LabelTopologyZone: "north"}

	fmt.Println(service.NodeMatters(old, heartbeat), service.NodeMatters(old, labelled))
	// Output: false true
}

// A slice that somebody takes away from us matters, because its endpoints are to be published again.
func ExampleSliceMatters() {
	o := service.Options{ManagedBy: "slices.example.com"}
	old := &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{
		Namespace: "shop", Name: "web-1", Labels: map[string]string{discoveryv1.LabelManagedBy: "slices.example.com"},
	}}
	taken := old.DeepCopy()
	taken.Labels[discoveryv1.LabelManagedBy] = "other.example.com"
	moved := taken.DeepCopy()
	moved.Annotations = map[string]string{"note": "not ours"}

	fmt.Println(service.SliceMatters(old, taken, o), service.SliceMatters(taken, moved, o))
	// Output: true false
}
