package service_test

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// The loop of the package comment. Here somebody else writes first, so that the first plan fails.
func Example() {
	conflict := errors.New("the object has been modified")
	var stored []*discoveryv1.EndpointSlice
	list := func() []*discoveryv1.EndpointSlice { return stored }
	apply := func(steps []slicer.Step) error {
		for _, s := range steps {
			fmt.Println(s, conflict)
			if err := conflict; err != nil {
				conflict = nil
				return err
			}
			stored = append(stored, s.New)
		}
		return nil
	}
	fmt.Println(reconcile(aService(), []*corev1.Pod{aPod(1)}, nodes, list, apply))
	// Output:
	// create web-jzl0q-ipv4 ipv4 http:8080: +10.0.0.1 (endpoints-added) the object has been modified
	// create web-jzl0q-ipv4 ipv4 http:8080: +10.0.0.1 (endpoints-added) <nil>
	// <nil>
}

func reconcile(
	svc *corev1.Service, pods []*corev1.Pod, node func(string) *corev1.Node,
	list func() []*discoveryv1.EndpointSlice, apply func([]slicer.Step) error,
) error {
	for {
		o := service.Options{ManagedBy: "slices.example.com"}
		plan, _, err := service.Plan(svc, pods, node, list(), o) // of the namespace, of every manager
		if err != nil || apply(plan.Steps) == nil {
			return err
		}
	}
}
