package service_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/slicer/service"
)

// migrationService is dual stack and has two ports.
func migrationService() *corev1.Service {
	svc := exampleService()
	svc.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
	svc.Spec.Ports = append(svc.Spec.Ports, corev1.ServicePort{Name: "metrics", Port: 9090})
	return svc
}

func migrationPod() *corev1.Pod {
	pod := examplePod("web-1", "10.0.0.1")
	pod.UID = "8a2e"
	pod.Status.PodIPs = append(pod.Status.PodIPs, corev1.PodIP{IP: "fd00::1"})
	return pod
}

// slicesLeftBy returns what another manager left for the Service: names with a random end, the ports in the other order, the
// IPv6 address in another spelling, and no defaults filled in.
func slicesLeftBy(manager string) []*discoveryv1.EndpointSlice {
	yes, no := true, false
	var list []*discoveryv1.EndpointSlice
	for _, left := range []struct {
		name, address string
		addressType   discoveryv1.AddressType
	}{{"web-4wz9p", "10.0.0.1", discoveryv1.AddressTypeIPv4}, {"web-tn2vd", "FD00:0:0::1", discoveryv1.AddressTypeIPv6}} {
		list = append(list, &discoveryv1.EndpointSlice{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: "shop", Name: left.name, GenerateName: "web-", UID: "5b1f", ResourceVersion: "41",
				Labels:      map[string]string{discoveryv1.LabelServiceName: "web", discoveryv1.LabelManagedBy: manager},
				Annotations: map[string]string{corev1.EndpointsLastChangeTriggerTime: "2026-01-02T03:04:05Z"},
				OwnerReferences: []metav1.OwnerReference{{
					APIVersion: "v1", Kind: "Service", Name: "web", UID: "3f1c", Controller: &yes, BlockOwnerDeletion: &yes,
				}},
			},
			AddressType: left.addressType,
			Ports:       []discoveryv1.EndpointPort{{Name: ptr("metrics"), Port: ptr(int32(9090))}, {Name: ptr("http"), Port: ptr(int32(8080))}},
			Endpoints: []discoveryv1.Endpoint{{
				Addresses:  []string{left.address},
				Conditions: discoveryv1.EndpointConditions{Ready: &yes, Serving: &yes, Terminating: &no},
				NodeName:   ptr("node-1"),
				TargetRef:  &corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: "web-1", UID: "8a2e"},
			}},
		})
	}
	return list
}

// A first plan on the slices that Kubernetes' controller, linkerd's or a fork of either left writes nothing, if ManagedBy is the
// name that they carry. Port order, the spelling of addresses, absent defaults and generated names are no reason to write.
func Example_migratingFromKubernetes() {
	for _, manager := range []string{service.KubernetesManager, "linkerd-external-workloads-controller", "fork.example.com"} {
		plan, err := service.Plan(migrationService(), []*corev1.Pod{migrationPod()}, nil, slicesLeftBy(manager),
			service.Options{ManagedBy: manager})
		fmt.Println(plan.Summary(), err)
	}
	// Output:
	// total 0 writes <nil>
	// total 0 writes <nil>
	// total 0 writes <nil>
}

// A Service changes hands beside its old controller. The new slices are created before the old ones are deleted, and readers
// join the two, so no endpoint is ever missing.
//
// Kubernetes' controller leaves a Service without selector alone and its slices as they are. So first move the selector to
// where only the new controller reads it, such as an annotation. The new controller plans for a copy of the Service that has it.
// When its slices are there, it removes those of the old manager with PlanRemoval. On the way back set the
// selector again, wait until Kubernetes' slices are there, and remove the new controller's own in the same way.
func ExamplePlanRemoval_handover() {
	svc, existing := migrationService(), slicesLeftBy(service.KubernetesManager)
	selected := svc.DeepCopy()
	svc.Spec.Selector = nil
	ours := service.Options{ManagedBy: "slices.example.com"}
	theirs := service.Options{ManagedBy: service.KubernetesManager}

	plan, err := service.Plan(selected, []*corev1.Pod{migrationPod()}, nil, existing, ours)
	fmt.Println("create ours:", plan.Summary(), err)
	existing = append(existing, plan.After()...)

	plan, err = service.PlanRemoval(svc, existing, theirs)
	fmt.Println("remove theirs:", plan.Summary(), err)

	existing = append(slicesLeftBy(service.KubernetesManager), existing[2:]...) // they are back
	plan, err = service.PlanRemoval(svc, existing, ours)
	fmt.Println("remove ours:", plan.Summary(), err)
	// Output:
	// create ours: total 2 writes (2 creates), endpoints +2 -0 ~0 <nil>
	// remove theirs: total 2 writes (2 deletes), endpoints +0 -2 ~0 <nil>
	// remove ours: total 2 writes (2 deletes), endpoints +0 -2 ~0 <nil>
}
