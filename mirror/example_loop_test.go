package mirror_test

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"context"
	"fmt"
	"log"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/recovery"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// The loop of the package comment, mirroring Endpoints to an API server in memory.
func Example_mirroringEndpoints() {
	service, endpoints := database()
	server := recovery.NewServer(true)
	fmt.Println(sync(context.Background(), publish.New(server.Slices(), services.Options{}), endpoints, service))
	server.Show()
	for _, s := range server.Stored() {
		fmt.Println(s.Name, s.Endpoints[0].Addresses)
	}
	// Output:
	// <nil>
	// orders-db-19lcprsp-ipv4 [192.168.1.100]
}

func sync(ctx context.Context, s *publish.Syncer, endpoints *corev1.Endpoints, service *corev1.Service) error {
	o := mirror.Options{ManagedBy: "mirrors.example.com"}
	plan, err := s.Sync(ctx, mirror.SetOf(endpoints, service, o),
		func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
			return mirror.Plan(endpoints, service, existing, o)
		})
	if w := plan.Warnings(); len(w) > 0 {
		log.Print(w) // what is not mirrored, and why; everything else is
	}
	return err // publish.ErrWait: call again soon; a *field.Error: a mistake; or a failure
}
