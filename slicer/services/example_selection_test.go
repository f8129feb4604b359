package services_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/slicewright/slicewright/slicer/services"
)

// An inference pool selects Pods without a Service, and each Pod has two ports. A whole Reconcile
// for controller-runtime is in examples/programs/reconciler/selection_test.go.
func ExamplePlanSelection() {
	pool := metav1.ObjectMeta{Namespace: "shop", Name: "llm", UID: "7"} // of the resource
	kind := schema.GroupVersionKind{Group: "inference.networking.k8s.io", Version: "v1", Kind: "InferencePool"}
	plan, err := services.PlanSelection(services.Selection{
		Parent:   pool,
		Owners:   []metav1.OwnerReference{*metav1.NewControllerRef(&pool, kind)},
		Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
		Ports:    []corev1.ServicePort{{Name: "a", Port: 8000}, {Name: "b", Port: 8001}},
	}, []*corev1.Pod{aPod(1)}, nil, nil, services.Options{
		ManagedBy: "slices.example.com", KeyLabel: "example.com/pool",
	})
	fmt.Print(plan)
	fmt.Println(err)
	for _, s := range plan.After() {
		fmt.Println(s.Labels, s.OwnerReferences[0].Kind)
	}
	// Output:
	// create llm-h699hc0f-ipv4 ipv4 a:8000,b:8001: +10.0.0.1 (EndpointsAdded)
	// total 1 write (1 create), endpoints +1 -0 ~0
	// <nil>
	// map[endpointslice.kubernetes.io/managed-by:slices.example.com example.com/pool:llm] InferencePool
}
