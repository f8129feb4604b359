package services_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/slicer/services"
)

// A watch of Pods leaves out what no plan shows. Both the old and the new Pod say which Services to
// sync.
func ExamplePodMatters() {
	o := services.Options{ManagedBy: "slices.example.com"}
	old := aPod(1)
	restarted, unready := old.DeepCopy(), old.DeepCopy()
	restarted.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "web", RestartCount: 1}}
	unready.Status.Conditions[0].Status = corev1.ConditionFalse

	fmt.Println(services.PodMatters(old, restarted, o))
	fmt.Println(services.PodMatters(old, unready, o))
	fmt.Println(services.PodMatters(old, nil, o)) // deleted
	// Output:
	// false
	// true
	// true
}

// A watch of virtual machines converts the old and the new machine with the function that makes
// Backends for PlanBackends. What no plan shows, such as a heartbeat, is the same Backend.
func ExampleBackendMatters() {
	o := services.Options{ManagedBy: "slices.example.com", PerFamily: services.FirstAddress}
	old := services.Backend{Name: "vm-1", Addresses: []string{"192.0.2.1", "192.0.2.2"}, Ready: true}
	readdressed, unready := old, old
	readdressed.Addresses = []string{"192.0.2.1"}
	unready.Ready = false

	fmt.Println(services.BackendMatters(&old, &old, o))
	fmt.Println(services.BackendMatters(&old, &readdressed, o)) // only the first address is published
	fmt.Println(services.BackendMatters(&old, &unready, o))
	fmt.Println(services.BackendMatters(&old, nil, o)) // deleted
	// Output:
	// false
	// false
	// true
	// true
}

// A Pod that is released from its Service by a label matters to the Service that selects the old
// Pod.
func ExampleSelects() {
	old := aPod(1)
	released := old.DeepCopy()
	released.Labels["app"] = "debug"

	fmt.Println(services.Selects(aService(), old), services.Selects(aService(), released))
	// Output: true false
}

// A description of a Service is no reason to plan.
func ExampleServiceMatters() {
	svc := aService()
	described, retargeted := svc.DeepCopy(), svc.DeepCopy()
	described.Annotations = map[string]string{"example.com/description": "the shop's front"}
	retargeted.Spec.Selector["app"] = "web-v2"
	fmt.Println(services.ServiceMatters(svc, described), services.ServiceMatters(svc, retargeted))
	// Output: false true
}

// A heartbeat is no reason to plan. Another zone or another Node is.
func ExampleNodeMatters() {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1",
		Labels: map[string]string{corev1.LabelTopologyZone: "south"}}}
	heartbeat, moved, other := node.DeepCopy(), node.DeepCopy(), node.DeepCopy()
	heartbeat.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady,
		LastHeartbeatTime: metav1.Unix(1_790_000_000, 0)}}
	moved.Labels[corev1.LabelTopologyZone] = "north"
	other.Name = "node-2"
	fmt.Println(services.NodeMatters(node, heartbeat), services.NodeMatters(node, moved),
		services.NodeMatters(node, other))
	// Output: false true true
}

// A slice that somebody takes away from us is a reason to plan, because its endpoints are to be
// published again.
func ExampleSliceMatters() {
	slice := slicesLeftBy("slices.example.com")[0]
	taken, noted := slice.DeepCopy(), slice.DeepCopy()
	taken.Labels[discoveryv1.LabelManagedBy] = "other.example.com"
	noted.Labels, noted.Annotations = taken.Labels, map[string]string{"note": "not ours"}
	o := services.Options{ManagedBy: "slices.example.com"}
	fmt.Println(services.SliceMatters(slice, taken, o), services.SliceMatters(taken, noted, o))
	// Output: true false
}
