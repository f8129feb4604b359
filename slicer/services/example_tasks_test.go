package services_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/slicer/services"
)

// A controller for virtual machines makes a Backend of each. The Service's targetPort is the name
// of a port, which has another number on the second machine, so that there are two slices. The
// third machine has no address yet.
func ExamplePlanBackends() {
	svc := aService(withPorts(servicePort("http", 80, named("http"))))
	svc.Spec.Selector = nil // so that Kubernetes' controller leaves it alone
	machines := []services.Backend{
		{Name: "vm-1", Addresses: []string{"192.0.2.1"}, Ready: true, Ports: []services.BackendPort{{Name: "http", Port: 80}}},
		{Name: "vm-2", Addresses: []string{"192.0.2.2"}, Ready: true, Ports: []services.BackendPort{{Name: "http", Port: 8080}}},
		{Name: "vm-3", Ready: true},
	}
	plan, err := services.PlanBackends(svc, machines, nil, services.Options{ManagedBy: "vms.example.com"})
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

// A second network gives each Pod more addresses, which a plugin writes into an annotation. The
// label of KeyLabel keeps these slices apart from those that kube-proxy reads.
func ExamplePlan_secondNetwork() {
	svc := aService(withPorts(servicePort("http", 80, intstr.FromInt32(8080))))
	pod := aPod(1)
	pod.Annotations = map[string]string{"net2.example.com/ip": "172.16.0.1"}
	plan, err := services.Plan(svc, []*corev1.Pod{pod}, nil, nil, services.Options{
		ManagedBy: "slices.example.com",
		KeyLabel:  "net2.example.com/service",
		Addresses: func(pod *corev1.Pod) ([]string, error) {
			return []string{pod.Annotations["net2.example.com/ip"]}, nil
		},
	})
	fmt.Print(plan)
	fmt.Println(err)
	// Output:
	// create web-8jckcn4k-ipv4 ipv4 http:8080: +172.16.0.1 (EndpointsAdded)
	// total 1 write (1 create), endpoints +1 -0 ~0
	// <nil>
}
