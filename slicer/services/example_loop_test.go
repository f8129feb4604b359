package services_test

import (
	"errors"
	"fmt"
	"log"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// The loop of the package comment. The cache is late: it does not show the slice that the last sync created, so that the API
// server refuses to create it again. The next sync has a newer cache, and finds nothing to do.
func Example() {
	var stored, cache []*discoveryv1.EndpointSlice
	w := slicer.Writer{Create: func(s *discoveryv1.EndpointSlice) error {
		for _, other := range stored {
			if other.Name == s.Name {
				return apierrors.NewAlreadyExists(discoveryv1.Resource("endpointslices"), s.Name)
			}
		}
		fmt.Println("created", s.Name)
		stored = append(stored, s)
		return nil
	}}
	pods := []*corev1.Pod{aPod(1)}
	fmt.Println(sync(aService(), pods, nil, cache, w))
	fmt.Println(sync(aService(), pods, nil, cache, w))
	cache = stored
	fmt.Println(sync(aService(), pods, nil, cache, w))
	// Output:
	// created web-jzl0q9xx-ipv4
	// <nil>
	// slicer: step 1 of 1, create web-jzl0q9xx-ipv4: endpointslices.discovery.k8s.io "web-jzl0q9xx-ipv4" already exists
	// <nil>
}

func sync(
	svc *corev1.Service, pods []*corev1.Pod, node func(name string) *corev1.Node,
	existing []*discoveryv1.EndpointSlice, w slicer.Writer,
) error {
	plan, err := services.Plan(svc, pods, node, existing, services.Options{ManagedBy: "slices.example.com"})
	if err != nil {
		return err // a mistake in the Service or the call; the error names the field
	}
	if w := plan.Warnings(); len(w) > 0 {
		log.Print(w) // each Pod, address or port that is not published, and why
	}
	return errors.Join(plan.Apply(w), plan.Retry()) // after Conflict, AlreadyExists or any other error: call again
}
