package services_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer/services"
)

// slicesLeftBy returns what a manager published for the Service.
func slicesLeftBy(manager string) []*discoveryv1.EndpointSlice {
	plan, err := services.Plan(aService(), []*corev1.Pod{aPod(1)}, nil, nil, services.Options{ManagedBy: manager})
	if err != nil {
		panic(err)
	}
	return plan.After()
}

// A Service changes hands beside its old controller. The new slices are created before the old ones
// are deleted, and readers join the two, so no endpoint is ever missing.
//
// Kubernetes' controller leaves a Service without selector alone and its slices as they are. So
// first move the selector to where only the new controller reads it, such as an annotation. The new
// controller plans for a copy of the Service that has it. When its slices are there, it removes
// those of the old manager with PlanRemoval. On the way back set the selector again, wait until
// Kubernetes' slices are there, and remove the new controller's own in the same way.
func ExamplePlanRemoval_handover() {
	svc, existing := aService(), slicesLeftBy(services.KubernetesManager)
	selected := svc.DeepCopy()
	svc.Spec.Selector = nil
	ours := services.Options{ManagedBy: "slices.example.com"}
	theirs := services.Options{ManagedBy: services.KubernetesManager}

	plan, err := services.Plan(selected, []*corev1.Pod{aPod(1)}, nil, existing, ours)
	fmt.Println("create ours:", plan.Summary(), err)
	existing = append(existing, plan.After()...)

	plan, err = services.PlanRemoval(svc, existing, theirs)
	fmt.Println("remove theirs:", plan.Summary(), err)

	existing = append(slicesLeftBy(services.KubernetesManager), existing[1:]...) // they are back
	plan, err = services.PlanRemoval(svc, existing, ours)
	fmt.Println("remove ours:", plan.Summary(), err)
	// Output:
	// create ours: total 1 write (1 create), endpoints +1 -0 ~0 <nil>
	// remove theirs: total 1 write (1 delete), endpoints +0 -1 ~0 <nil>
	// remove ours: total 1 write (1 delete), endpoints +0 -1 ~0 <nil>
}
