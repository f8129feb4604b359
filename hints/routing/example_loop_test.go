package routing_test

import (
	"fmt"
	"log"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/hints/routing"
)

// A proxy on a Node of zone b uses the endpoint that is hinted to that zone.
func Example_theEndpointsOfANode() {
	name, port, number := types.NamespacedName{Namespace: "shop", Name: "cart"}, "http", int32(8080)
	slice := &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: name.Namespace, Name: "cart-1",
			Labels: map[string]string{discoveryv1.LabelServiceName: name.Name},
		},
		AddressType: discoveryv1.AddressTypeIPv4,
		Ports:       []discoveryv1.EndpointPort{{Name: &port, Port: &number}},
		Endpoints:   []discoveryv1.Endpoint{*hinted("10.0.0.1", "a"), *hinted("10.0.0.2", "b")},
	}
	svc := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: name.Namespace, Name: name.Name},
		Spec:       corev1.ServiceSpec{ClusterIP: "10.96.0.1", Ports: []corev1.ServicePort{{Name: port, Port: 80}}},
	}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1",
		Labels: map[string]string{corev1.LabelTopologyZone: "b"}}}
	program(svc, node, []*discoveryv1.EndpointSlice{slice}, func(port corev1.ServicePort, found []dedup.Found) {
		for _, f := range found {
			fmt.Println(port.Name, f.Address, f.Port)
		}
	})
	// Output:
	// http 10.0.0.2 8080
}

func program(svc *corev1.Service, node *corev1.Node, slices []*discoveryv1.EndpointSlice,
	use func(corev1.ServicePort, []dedup.Found)) {
	served := dedup.OfService(svc, slices)
	if len(served.Problems) > 0 {
		log.Print(served.Problems) // what was skipped, and why; the rest is good
	}
	at := routing.Location{NodeName: node.Name, Zone: node.Labels[corev1.LabelTopologyZone]}
	for _, port := range served.Ports {
		use(port.Port, routing.Route(port.Endpoints, dedup.Found.Candidate, at, routing.Inside(svc)).Endpoints)
	}
}
