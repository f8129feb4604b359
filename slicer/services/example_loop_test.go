package services_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer/services"
)

// The program of the package comment.
func Example() {
	node := &corev1.Node{}
	node.Name = aPod(1).Spec.NodeName
	fmt.Println(show(aService(), []*corev1.Pod{aPod(1)}, []*corev1.Node{node}, nil))
	// Output:
	// create web-jzl0q9xx-ipv4 ipv4 http:8080: +10.0.0.1 (EndpointsAdded)
	// total 1 write (1 create), endpoints +1 -0 ~0
	// <nil>
}

func show(svc *corev1.Service, pods []*corev1.Pod, nodes []*corev1.Node, existing []*discoveryv1.EndpointSlice) error {
	plan, err := services.Plan(svc, pods, services.NodesByName(nodes), existing,
		services.Options{ManagedBy: "slices.example.com"})
	if err != nil {
		return err // a mistake in the Service or the call; the error names the field
	}
	fmt.Print(plan) // the writes, in an order that is safe to interrupt, and then what is not published
	return nil
}
