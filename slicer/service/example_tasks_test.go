package service_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// A controller for virtual machines makes a Backend of each. The Service's targetPort is the name of a port, which has another
// number on the second machine, so that there are two slices. The third machine has no address yet. The program
// examples/vms is the whole controller.
func ExamplePlanBackends() {
	svc := exampleService()
	svc.Spec.Selector = nil // so that Kubernetes' controller leaves it alone
	machines := []service.Backend{
		{Name: "vm-1", Addresses: []string{"192.0.2.1"}, Ready: true, Ports: []service.BackendPort{{Name: "http", Port: 80}}},
		{Name: "vm-2", Addresses: []string{"192.0.2.2"}, Ready: true, Ports: []service.BackendPort{{Name: "http", Port: 8080}}},
		{Name: "vm-3", Ready: true},
	}
	plan, err := service.PlanBackends(svc, machines, nil, service.Options{ManagedBy: "vms.example.com"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(plan)
	// Output:
	// create web-kj4sh28p-ipv4 ipv4 http:80: +192.0.2.1 (EndpointsAdded)
	// create web-kj4sh28p-ipv4-2 ipv4 http:8080: +192.0.2.2 (EndpointsAdded)
	// skipped vm-3 (NoAddress) backends[2]
	// total 2 writes (2 creates), endpoints +2 -0 ~0
}

// Slices of a second network stand beside those of Kubernetes' controller. The key tells them apart from the Service's own, so
// that DNS servers do not find them, and the label keeps kube-proxy away. Addresses come from where the network plugin notes
// them. The program examples/controller is the whole controller.
func Example_secondNetwork() {
	svc := exampleService()
	pod := examplePod("web-1", "10.0.0.1")
	pod.Annotations = map[string]string{"example.com/second-network": "172.16.0.1"}
	in, err := service.Input(svc, []*corev1.Pod{pod}, nil, service.Options{
		ManagedBy: "second-network.example.com",
		Key:       map[string]string{"second-network.example.com/service": svc.Name},
		Addresses: func(pod *corev1.Pod) ([]string, error) {
			return []string{pod.Annotations["example.com/second-network"]}, nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	in.Set.Labels = map[string]string{"service.kubernetes.io/service-proxy-name": "second-network.example.com"}
	var existing []*discoveryv1.EndpointSlice // what the API server has in the namespace
	plan, err := slicer.Compute(in, existing)
	fmt.Print(plan)
	fmt.Println(err)
	// Output:
	// create web-btj4kzn3-ipv4 ipv4 http:8080: +172.16.0.1 (EndpointsAdded)
	// total 1 write (1 create), endpoints +1 -0 ~0
	// <nil>
}
