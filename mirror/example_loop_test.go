package mirror_test

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// The loop of the package comment: mirroring Endpoints.
func Example_mirroringEndpoints() {
	service, endpoints := database()
	list := func() []*discoveryv1.EndpointSlice { return nil }
	tell := func(report mirror.Report) { fmt.Println(report) }
	apply := func(steps []slicer.Step) error {
		for _, s := range steps {
			fmt.Println(s)
		}
		return nil
	}
	fmt.Println(mirrorAll(endpoints, service, list, tell, apply))
	// Output:
	// 1 taken
	// create orders-db-19lcp-ipv4 ipv4 mysql:3306: +192.168.1.100 (endpoints-added)
	// <nil>
}

func mirrorAll(
	endpoints *corev1.Endpoints, service *corev1.Service,
	list func() []*discoveryv1.EndpointSlice, tell func(mirror.Report), apply func([]slicer.Step) error,
) error {
	in, report, err := mirror.FromEndpoints(endpoints, service, mirror.Options{ManagedBy: "mirrors.example.com"})
	if err != nil {
		return err
	}
	tell(report)         // what cannot be mirrored
	in.Existing = list() // of the namespace, of every manager
	plan, err := slicer.Compute(in)
	if err != nil {
		return err
	}
	return apply(plan.Steps)
}
