package mirror_test

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"fmt"
	"log"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// The loop of the package comment: mirroring Endpoints.
func Example_mirroringEndpoints() {
	service, endpoints := database()
	list := func() []*discoveryv1.EndpointSlice { return nil }
	w := slicer.Writer{Create: func(s *discoveryv1.EndpointSlice) error {
		fmt.Println("create", s.Name, s.Endpoints[0].Addresses)
		return nil
	}}
	fmt.Println(mirrorAll(endpoints, service, list, w))
	// Output:
	// create orders-db-19lcprsp-ipv4 [192.168.1.100]
	// <nil>
}

func mirrorAll(endpoints *corev1.Endpoints, service *corev1.Service, list func() []*discoveryv1.EndpointSlice, w slicer.Writer) error {
	plan, err := mirror.Plan(endpoints, service, list(), mirror.Options{ManagedBy: "mirrors.example.com"})
	if err != nil {
		return err // a mistake in the call; the error names the field
	}
	if w := plan.Warnings(); len(w) > 0 {
		log.Print(w) // what is not mirrored, and why; everything else is
	}
	err = plan.Apply(w)
	return err // after Conflict, AlreadyExists or any other error: call again
}
