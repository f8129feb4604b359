package service_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/slicer/service"
)

func exampleNode(name, ip string, ready corev1.ConditionStatus) *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelTopologyZone: "zone-a"}},
		Status: corev1.NodeStatus{
			Addresses:  []corev1.NodeAddress{{Type: corev1.NodeHostName, Address: name}, {Type: corev1.NodeInternalIP, Address: ip}},
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: ready}},
		},
	}
}

// Pods have the zone of their Node as a label (KEP-4742), so that a controller that reads no Nodes publishes zones and hints, too.
// Before Kubernetes 1.35 anybody may have written that label.
func Example_zonesFromPods() {
	pod := examplePod("web-1", "10.0.0.1")
	pod.Labels = map[string]string{"app": "web", corev1.LabelTopologyZone: "north"}
	plan, err := service.Plan(exampleService(), []*corev1.Pod{pod}, nil, nil,
		service.Options{ManagedBy: "slices.example.com", ZoneFromPod: true})
	fmt.Println(*plan.Steps[0].New.Endpoints[0].Zone, err)
	// Output: north <nil>
}
