package mirror_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer/services"
)

// A writer whose readers need Endpoints for a while yet: the slices are what it plans, and the
// Endpoints show them. The label keeps the control plane from mirroring them. mirror.Plan would
// remove the slices because of that label, and says so.
func Example_endpointsAndSlices() {
	svc, _ := database()
	svc.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol}
	svc.Spec.Ports = []corev1.ServicePort{{Name: "mysql", Port: 3306}}
	backends := []services.Backend{{Name: "db-1", Addresses: []string{"192.168.1.100"}, Ready: true}}
	var existing []*discoveryv1.EndpointSlice // what the API server has in this namespace
	plan, err := services.PlanBackends(svc, backends, existing, services.Options{ManagedBy: "databases.example.com"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(plan.Steps[0]) // a publish.Syncer writes them
	endpoints, skips, err := mirror.ToEndpoints(plan.After(), mirror.ViewOptions{Service: svc, SkipMirror: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	// write them
	fmt.Println(endpoints.Labels, endpoints.Subsets[0].Addresses[0].IP, endpoints.Subsets[0].Ports[0].Port, skips)
	wrong, err := mirror.Plan(endpoints, svc, plan.After(), mirror.Options{ManagedBy: "databases.example.com"})
	fmt.Println(wrong.Steps[0], wrong.Skips[0].Reason, err)
	// Output:
	// create orders-db-cp1f29cw-ipv4 ipv4 mysql:3306: +192.168.1.100 (EndpointsAdded)
	// map[endpointslice.kubernetes.io/skip-mirror:true] 192.168.1.100 3306 []
	// delete orders-db-cp1f29cw-ipv4: -192.168.1.100 (NothingLeft) SkipMirror <nil>
}
